#include <ostream>

#include "json.h"
#include "xfer/rules/report.h"

namespace xfer {

void write_jsonl(const Report& report, std::ostream& out, const RunLabels& labels) {
  const RunInfo run = report.runs.empty() ? RunInfo() : report.runs.front();
  for (const Finding& finding : report.findings) {
    nlohmann::ordered_json line{{"schema", "xfercheck-finding/1"},
                                {"tool", report.tool},
                                {"run", labels.run},
                                {"time", text_or_null(iso_date(run.start_ns))},
                                {"host", text_or_null(run.host)},
                                {"rank", number_or_null(run.rank)},
                                {"world_size", number_or_null(run.world_size)},
                                {"commit", text_or_null(labels.commit)},
                                {"rule", info(finding.rule).slug},
                                {"severity", name(finding.severity)},
                                {"confidence", name(finding.confidence)},
                                {"message", finding.message},
                                {"file", text_or_null(finding.location.file)},
                                {"line", finding.location.line},
                                {"function", text_or_null(finding.location.function)}};
    const Cost cost = finding.cost.value_or(Cost());
    line["count"] = finding.cost ? cost.count : 1;
    line["bytes"] = cost.bytes;
    line["host_ns"] = cost.host_ns;
    line["device_ns"] = cost.device_ns;
    line["saving_ns"] = cost.saving_ns;
    line["modelled"] = cost.modelled;
    const StepShare step = finding.step.value_or(StepShare());
    line["step"] = text_or_null(step.name);
    line["step_share"] = finding.step ? nlohmann::ordered_json(step.share()) : nullptr;
    line["fingerprint"] = finding.fingerprint;
    out << dump(line, -1) << '\n';
  }
}

}  // namespace xfer
