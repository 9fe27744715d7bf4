#include "xfer/report_builder.h"

#include <dlfcn.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "temp_file.h"
#include "text_trace.h"
#include "xfer/stack.h"
#include "xfer/trace_reader.h"
#include "xfer/trace_writer.h"

namespace xfer::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct Site {
  std::vector<std::uintptr_t> frames;
  unsigned line;
};

/// Real call sites in this file; each function is "the program's line".
[[gnu::noinline]] Site capture() {
  Site site{std::vector<std::uintptr_t>(kMaxStackDepth), 0};
  site.frames.resize(capture_stack(site.frames));
  site.frames.erase(site.frames.begin());  // this function: as the tracer leaves itself out
  return site;
}
// clang-format off
[[gnu::noinline]] Site upload_site() { Site site = capture(); site.line = __LINE__; return site; }
[[gnu::noinline]] Site download_site() { Site site = capture(); site.line = __LINE__; return site; }
template <class T> [[gnu::noinline]] Site made_with() {
  Site site = capture(); site.line = __LINE__ + sizeof(T) * 0;
  return site;
}
std::pair<Site, Site> one_statement() {
  Site copy = capture(); Site freed = capture(); copy.line = __LINE__; freed.line = __LINE__;
  return {copy, freed};
}
// clang-format on

/// Writes a text trace whose call sites 1, 2 ... are those given; others have no stack.
void write_trace(const TempFile& file, const std::string& text,
                 const std::map<std::uint32_t, Site>& sites, bool cut = false,
                 const char* emulated = nullptr) {
  auto writer = TraceWriter::open(file.path().c_str());
  if (emulated != nullptr) writer->set_metadata("emulated", emulated);
  for (Event event : parse_trace(text)) {
    const auto site = sites.find(event.site);
    event.site = site != sites.end() ? writer->intern_stack(site->second.frames) : 0;
    if (event.kind == EventKind::kLaunch) event.name = writer->intern_string("_Z5scalePfi");
    writer->add(event);
  }
  if (!cut) return;
  writer->flush();
  writer->abandon();
}

Report report_of(const std::string& text, const std::map<std::uint32_t, Site>& sites,
                 bool cut = false) {
  const TempFile file;
  write_trace(file, text, sites, cut);
  TraceReader trace(file.path());
  return build_report(trace);
}

TEST(ReportBuilder, SaysWhatWhereAndHowMuch) {
  const Site upload = upload_site();
  const Report report = report_of(R"(alloc A 2048
h2d A x 2048 #w at=7 ns=500
repeat 3
  launch r=A
  h2d A x 2048 #w at=7 ns=1000
end
launch r=A)",
                                  {{7, upload}});
  ASSERT_THAT(report.findings, SizeIs(1));
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.message,
            "the same 2 KiB are copied to cuda:0 again (3 times) although the buffer there still "
            "holds this data");
  EXPECT_THAT(finding.location.file, EndsWith("report_builder_test.cc"));
  EXPECT_EQ(finding.location.line, upload.line);
  EXPECT_THAT(finding.location.function, EndsWith("upload_site"));
  EXPECT_EQ(finding.confidence, Confidence::kProven);
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_EQ(finding.cost->count, 3u);
  EXPECT_EQ(finding.cost->bytes, 3u * 2048);
  EXPECT_EQ(finding.cost->host_ns, 3000u);
  ASSERT_TRUE(finding.fix.has_value());
  EXPECT_EQ(finding.fix->description, "copy it again only after it has changed");
  ASSERT_THAT(finding.notes, SizeIs(2));
  EXPECT_EQ(finding.notes[0].message, "the earlier copy is here");
  EXPECT_EQ(finding.notes[1].message, "3 of the 4 copies at this line");
  ASSERT_FALSE(finding.stack.empty());
  EXPECT_EQ(finding.stack[0], finding.location);
}

TEST(ReportBuilder, HowLongAnEmulatedDeviceTookIsNoEvidence) {
  const auto findings = [](const char* emulated) {
    const TempFile file;
    write_trace(file,
                "alloc A 256\nalloc B 256\nrepeat 4\n  launch r=A w=B ns=50000 id=2{i}\n"
                "  h2d A x 256 ns=100000 #step{i} id=1{i}\n  time 1{i} 20000\n"
                "  time 2{i} 90000 until 1{i}+80000\nend\n"
                "launch r=A w=B\nd2h y B 256",
                {}, false, emulated);
    TraceReader trace(file.path());
    return build_report(trace).findings;
  };
  const std::vector<Finding> measured = findings("0");
  ASSERT_THAT(measured, SizeIs(1));
  EXPECT_EQ(measured[0].message,
            "a synchronous copy to cuda:0 makes the host wait for the pending work there "
            "(4 times)");
  EXPECT_EQ(measured[0].severity, Severity::kAdvice);
  EXPECT_THAT(findings("1"), IsEmpty());
  EXPECT_THAT(findings(nullptr), IsEmpty());
}

TEST(ReportBuilder, OneByteIsSingular) {
  const Report report = report_of(R"(alloc A 1
repeat 20
  launch rw=A
  d2h x A 1 #{i} at=7 ns=100000
end)",
                                  {{7, download_site()}});
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_THAT(report.findings[0].message,
              testing::StartsWith("the host downloads 1 byte from cuda:0"));
}

TEST(ReportBuilder, TellsATripFromWhereItBegan) {
  const Site upload = upload_site();
  const Site download = download_site();
  const Report report = report_of(R"(alloc A 64
h2d A x 64 #x at=1
launch r=A
d2h x A 64 #x at=2)",
                                  {{1, upload}, {2, download}});
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].message,
            "64 bytes are copied from the host to cuda:0 and back unchanged (once)");
  EXPECT_EQ(report.findings[0].location.line, download.line);
  EXPECT_EQ(report.findings[0].notes.at(0).location.line, upload.line);

  const Report back = report_of(R"(alloc A 64
launch w=A
d2h x A 64 #x
h2d A x 64 #x)",
                                {});
  ASSERT_THAT(back.findings, SizeIs(1));
  EXPECT_EQ(back.findings[0].message,
            "64 bytes are copied from cuda:0 to the host and back unchanged (once)");
}

TEST(ReportBuilder, ADiscardedCopyIsOneThatItsOwnStatementFrees) {
  const auto [copy, freed] = one_statement();
  const Site elsewhere = upload_site();
  const std::string trace = "alloc A 64\nh2d A x 64 #x at=1\nfree A at=2";
  const Report discarded = report_of(trace, {{1, copy}, {2, freed}});
  ASSERT_THAT(discarded.findings, SizeIs(1));
  EXPECT_EQ(discarded.findings[0].confidence, Confidence::kProven);
  EXPECT_THAT(discarded.findings[0].message, HasSubstr("its buffer is freed"));
  // An error path, as far as anyone can tell.
  EXPECT_THAT(report_of(trace, {{1, copy}, {2, elsewhere}}).findings, IsEmpty());
  EXPECT_THAT(report_of(trace, {}).findings, IsEmpty());
}

TEST(ReportBuilder, ATemplateIsOnePlace) {
  const Report report = report_of(R"(alloc A 64
alloc B 32
h2d A x 64 #x at=1
h2d B y 32 #y at=2
launch r=A r=B
h2d A x 64 #x at=1
h2d B y 32 #y at=2
launch r=A r=B)",
                                  {{1, made_with<int>()}, {2, made_with<double>()}});
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_THAT(report.findings[0].message,
              HasSubstr("the same bytes, up to 64 bytes at a time, are copied to cuda:0 again"));
  EXPECT_EQ(report.findings[0].cost->count, 2u);
}

std::uintptr_t in_the_c_library() {
  return reinterpret_cast<std::uintptr_t>(dlsym(RTLD_DEFAULT, "gnu_get_libc_version")) + 1;
}

// A thread of a library's own: there is no line that the program could change.
TEST(ReportBuilder, WasteOfALibrarysOwnIsAdvice) {
  const Site in_library{{in_the_c_library()}, 0};
  const auto report_with = [](const std::string& bytes, const Site& site) {
    return report_of("alloc A 4096\nrepeat 3\nh2d A x " + bytes + " #x at=1\nlaunch r=A\nend",
                     {{1, site}});
  };
  const Report large = report_with("4096", in_library);
  ASSERT_THAT(large.findings, SizeIs(1));
  EXPECT_EQ(large.findings[0].severity, Severity::kAdvice);
  EXPECT_THAT(report_with("48", in_library).findings, IsEmpty());
  const Report own = report_with("48", upload_site());
  ASSERT_THAT(own.findings, SizeIs(1));
  EXPECT_EQ(own.findings[0].severity, Severity::kWarning);
}

// It keeps for later what it has once.
TEST(ReportBuilder, ALibrarysOwnMemoryIsNoLeak) {
  const auto report_with = [](const Site& site) {
    return report_of("alloc A 256\nrepeat 8\nalloc T{i} {i}00256 at=1\nlaunch rw=A\nend\nfree A",
                     {{1, site}});
  };
  EXPECT_THAT(report_with(Site{{in_the_c_library()}, 0}).findings, IsEmpty());
  EXPECT_THAT(report_with(upload_site()).findings, SizeIs(1));
}

[[gnu::noinline]] Site by_another_way() {
  Site site = upload_site();
  site.line += 0;  // no tail call
  return site;
}

// Paths that differ in a library alone are one.
TEST(ReportBuilder, CountsTheCallPathsThatItShows) {
  const auto notes = [](const Site& one, const Site& other) {
    const Report report = report_of(R"(alloc A 2048
h2d A x 2048 #x at=1
launch r=A
h2d A x 2048 #x at=1
launch r=A
h2d A x 2048 #x at=2
launch r=A)",
                                    {{1, one}, {2, other}});
    EXPECT_THAT(report.findings, SizeIs(1));
    std::string all;
    for (const Note& note : report.findings.at(0).notes) all += note.message + '\n';
    return all;
  };
  const Site site = upload_site();
  Site through_a_library = site;
  through_a_library.frames.insert(through_a_library.frames.begin() + 1, in_the_c_library());
  EXPECT_THAT(notes(site, through_a_library), testing::Not(HasSubstr("call paths")));
  EXPECT_THAT(notes(site, by_another_way()), HasSubstr("reached by 2 call paths"));
}

TEST(ReportBuilder, RanksByHostTime) {
  const Report report = report_of(R"(alloc A 64
alloc B 64
h2d A x 64 #x
h2d B y 64 #y
launch r=A r=B
h2d A x 64 #x ns=10
h2d B y 64 #y ns=90
launch r=A r=B)",
                                  {{6, upload_site()}, {7, download_site()}});
  ASSERT_THAT(report.findings, SizeIs(2));
  EXPECT_EQ(report.findings[0].cost->host_ns, 90u);
}

TEST(ReportBuilder, SumsUpTheRun) {
  const Report report = report_of(R"(alloc A 64
h2d A x 64 #x id=1
launch r=A skipped id=2
launch rw=A id=3
sync device
d2h x A 32 #y
time 1 40
time 3 50
h2d A x 64 failed)",
                                  {});
  const auto& stats = report.stats;
  EXPECT_EQ(stats["copies"]["host-to-device"]["count"], 1);
  EXPECT_EQ(stats["copies"]["host-to-device"]["bytes"], 64);
  EXPECT_EQ(stats["copies"]["host-to-device"]["device_ns"], 40);
  EXPECT_EQ(stats["copies"]["device-to-host"]["bytes"], 32);
  EXPECT_EQ(stats["launches"]["count"], 2);
  EXPECT_EQ(stats["launches"]["device_ns"], 50);
  EXPECT_EQ(stats["skipped_kernels"]["scale"], 1);
  EXPECT_EQ(stats["syncs"]["count"], 1);
  EXPECT_EQ(stats["failed_calls"], 1);
  EXPECT_EQ(stats["complete"], true);
}

TEST(ReportBuilder, ComparesCopiesWithWhatTheBusCanDo) {
  const auto report = [](const char* slow_ns) {
    return report_of(R"(alloc A 2097152
alloc B 2097152
h2d B z 2097152 #z id=9
time 9 100000
h2d A x 2097152 #x at=1
launch r=A r=B
h2d A x 2097152 #x at=1 id=2
launch r=A r=B
time 2 )" + std::string(slow_ns),
                     {{1, upload_site()}});
  };
  const Report slow = report("700000");
  EXPECT_EQ(slow.stats["copies"]["host-to-device"]["best_bytes_per_s"], 20971520000);
  ASSERT_THAT(slow.findings, SizeIs(1));
  std::vector<std::string> notes;
  for (const Note& note : slow.findings[0].notes) notes.push_back(note.message);
  EXPECT_THAT(
      notes, testing::Contains("at 3.0 GB/s; the fastest copy in this direction ran at 21.0 GB/s"));
  const Report fast = report("110000");
  for (const Note& note : fast.findings.at(0).notes)
    EXPECT_THAT(note.message, testing::Not(HasSubstr("GB/s")));
}

// Not a word of it where all was read.
// The ranks of a program do the same, not always as often.
TEST(ReportBuilder, SumsWhatSeveralProcessesDoAtOnePlace) {
  const std::map<std::uint32_t, Site> sites = {{3, upload_site()}};
  const auto uploads = [](int count) {
    return "alloc A 256\nrepeat " + std::to_string(count) + "\nh2d A x 256 #a\nlaunch r=A\nend";
  };
  const TempFile first;
  const TempFile second;
  write_trace(first, uploads(3), sites);
  write_trace(second, uploads(5), sites);
  const Report report = build_report({first.path(), second.path()}, {});
  ASSERT_THAT(report.findings, SizeIs(1));
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.cost->count, 6U);
  EXPECT_THAT(finding.message, HasSubstr("(6 times)"));
  EXPECT_THAT(finding.notes,
              testing::Contains(testing::Field(&Note::message, "6 of the 8 copies at this line")));
  ASSERT_THAT(finding.first_seen, SizeIs(2));
  EXPECT_EQ(finding.first_seen[1].run, 1U);
}

TEST(ReportBuilder, SaysWhatTheTracerLeftOut) {
  const auto problems = [](const std::map<std::string, std::string>& metadata) {
    const TempFile file;
    {
      auto writer = TraceWriter::open(file.path().c_str());
      for (const auto& [key, value] : metadata) writer->set_metadata(key, value);
    }
    TraceReader trace(file.path());
    const Report report = build_report(trace);
    EXPECT_FALSE(report.stats.contains("damaged"));
    return report.stats.value("problems", std::vector<std::string>());
  };
  EXPECT_THAT(problems({}), IsEmpty());
  EXPECT_THAT(problems({{"content.skipped_copies", "0"}, {"python", "3.11.7"}}), IsEmpty());
  EXPECT_THAT(problems({{"content.skipped_copies", "3"}, {"content.skipped_bytes", "3145728"}}),
              testing::ElementsAre(HasSubstr("the content of 3 copies (3 MiB) was not hashed")));
  EXPECT_THAT(problems({{"watch.rests", "2"}, {"watch.unwatched_results", "1"}}),
              testing::ElementsAre(HasSubstr("was not watched for a while, 2 times"),
                                   HasSubstr("1 download to pageable memory was not watched")));
  EXPECT_THAT(problems({{"watch.rests", "often"}, {"watch.unwatched_results", "0"}}), IsEmpty());
  EXPECT_THAT(problems({{"content.unsearched_uploads", "1"}}),
              testing::ElementsAre(HasSubstr("a kernel counts as using every buffer")));
  EXPECT_THAT(problems({{"detail.cut_stacks", "12"}, {"detail.device_times", "4"}}),
              testing::ElementsAre(HasSubstr("4 device times were left out"),
                                   HasSubstr("12 calls have only the inner part")));
  EXPECT_THAT(problems({{"python.unread", "3.14.1"}}),
              testing::ElementsAre(HasSubstr("Python 3.14.1 is not supported")));
  EXPECT_THAT(problems({{"content.skipped_copies", "many"}}), IsEmpty());
}

TEST(ReportBuilder, OfACutTraceConcludesNothingFromItsEnd) {
  const std::string trace = R"(alloc A 64
alloc B 64
h2d A x 64 #x
launch rw=B)";
  EXPECT_THAT(report_of(trace, {}).findings, SizeIs(1));
  const Report cut = report_of(trace, {}, true);
  EXPECT_THAT(cut.findings, IsEmpty());
  EXPECT_EQ(cut.stats["complete"], false);
}

// Each has its own id, and what is in two of them counts in both.
TEST(ReportBuilder, ScopesThatDoNotNest) {
  const TempFile file;
  {
    auto writer = TraceWriter::open(file.path().c_str());
    const auto scope = [&](const char* name, std::uint64_t id) {
      Event event;
      event.kind = *name != '\0' ? EventKind::kScopeBegin : EventKind::kScopeEnd;
      event.name = writer->intern_string(name);
      event.event_id = id;
      writer->add(event);
    };
    const auto copy = [&] {
      for (const Event& event : parse_trace("h2d A x 64")) writer->add(event);
    };
    scope("first", 1);
    copy();
    scope("second", 2);
    copy();
    scope("plain", 0);
    scope("", 1);
    copy();
    scope("", 1);
    scope("", 0);
    copy();
    scope("", 2);
    copy();
    writer->set_metadata("scope.unwritten.first", "41");
    writer->set_metadata("scope.unwritten.never", "1");
  }
  TraceReader trace(file.path());
  const Report report = build_report(trace);
  const auto& scopes = report.stats["scopes"];
  EXPECT_EQ(scopes.size(), 3U);
  EXPECT_EQ(scopes["first"]["sum"]["h2d_count"], 2);
  EXPECT_EQ(scopes["first"]["count"], 42) << "with those that were only counted";
  EXPECT_EQ(scopes["second"]["sum"]["h2d_count"], 3);
  EXPECT_EQ(scopes["plain"]["sum"]["h2d_count"], 1);
}

/// Emulated devices' times are a model's: what is judged by them is left out unless asked for.
TEST(ReportBuilder, ModelledTimesJudgeNothingUnlessAsked) {
  const std::string steps =
      "alloc A 1048576\nalloc B 1048576\nrepeat 4\n"
      "  h2d A x 1048576 ns=110000 #s{i} id=1{i} at=1\n  launch r=A w=B id=2{i} ns=1000\n"
      "  sync device ns=400000\n  time 1{i} 100000 until 1{i}+105000\n"
      "  time 2{i} 300000 until 1{i}+420000\nend";
  for (const auto& [emulated, asked, found] :
       {std::tuple("0", false, true), std::tuple("1", false, false), std::tuple("1", true, true)}) {
    const TempFile file;
    write_trace(file, steps, {{1, upload_site()}}, false, emulated);
    TraceReader trace(file.path());
    ReportBuilderOptions options;
    options.judge_modelled_times = asked;
    const Report report = build_report(trace, options);
    EXPECT_EQ(std::ranges::count(report.findings, Rule::kExposedCopy, &Finding::rule), found)
        << emulated << asked;
  }
}

}  // namespace
}  // namespace xfer::test
