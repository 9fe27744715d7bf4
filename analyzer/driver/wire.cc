// The JSON between xferlint and its worker processes.

#include <array>
#include <sstream>

#include "analyzer/driver/explain_unknown.h"
#include "analyzer/driver/summary_json.h"
#include "analyzer/driver/worker.h"
#include "xfer/rules/report.h"

namespace xfer::lint {
namespace {

using nlohmann::json;

json to_json(const ParseCommand& command) {
  return {{"file", command.file.string()},
          {"directory", command.directory.string()},
          {"arguments", command.arguments},
          {"cuda", command.cuda}};
}

ParseCommand command_from_json(const json& job) {
  ParseCommand command;
  command.file = job.at("file").get<std::string>();
  command.directory = job.at("directory").get<std::string>();
  command.arguments = job.at("arguments").get<std::vector<std::string>>();
  command.cuda = job.at("cuda");
  return command;
}

}  // namespace

json to_json(const WorkerSetup& setup) {
  return {{"root", setup.root},
          {"models", setup.models},
          {"rules", setup.rules},
          {"summaries", setup.summaries},
          {"explain_unknown", setup.explain_unknown},
          {"check_models", setup.check_models},
          {"keep_units", setup.keep_units},
          {"hash_inputs", setup.hash_inputs},
          {"memory_bytes", setup.memory_bytes}};
}

json to_json(const AnalyzeJob& job) {
  json result = to_json(job.command);
  result["kind"] = "analyze";
  result["unit"] = job.unit;
  result["pch"] = job.pch;
  if (job.others) result["others"] = to_json(*job.others);
  return result;
}

AnalyzeJob analyze_job_from_json(const json& json) {
  AnalyzeJob job{json.at("unit"), command_from_json(json), json.at("pch"), {}};
  if (json.contains("others")) job.others = unit_summaries_from_json(json.at("others"));
  return job;
}

PchJob pch_job_from_json(const json& json) {
  return {command_from_json(json), json.at("header"), json.at("output")};
}

json to_json(const PchJob& job) {
  json result = to_json(job.command);
  result["kind"] = "pch";
  result["header"] = job.header;
  result["output"] = job.output;
  return result;
}

json to_json(const UnitResult& result) {
  std::ostringstream findings;
  Report report;
  report.tool = "xferlint";
  report.findings = result.findings;
  write_json(report, findings);
  json errors = json::array();
  for (const ParseError& error : result.errors) {
    errors.push_back({{"file", error.file},
                      {"line", error.line},
                      {"column", error.column},
                      {"message", error.message}});
  }
  return {
      {"report", findings.str()},
      {"errors", std::move(errors)},
      {"functions", result.stats.functions},
      {"blocks", result.stats.blocks},
      {"skipped", result.stats.skipped},
      {"unknown", to_json(result.stats.unknown)},
      {"summaries", to_json(result.summaries)},
      {"inputs", result.inputs},
      {"engine_seconds", result.stats.seconds},
      {"parse_seconds", result.parse_seconds},
      {"analysed", result.analysed},
      {"used_pch", result.used_pch},
      {"pch_rejected", result.pch_rejected},
      {"model_check",
       {result.model_check.unmatched, result.model_check.unchecked, result.model_check.libraries}}};
}

UnitResult unit_result_from_json(const json& reply) {
  UnitResult result;
  std::istringstream findings(reply.at("report").get<std::string>());
  result.findings = read_json(findings, "worker").findings;
  for (const json& error : reply.at("errors")) {
    result.errors.push_back(
        {error.at("file"), error.at("line"), error.at("column"), error.at("message")});
  }
  result.stats.functions = reply.at("functions");
  result.stats.blocks = reply.at("blocks");
  result.stats.skipped = reply.at("skipped");
  result.stats.unknown = unknowns_from_json(reply.at("unknown"));
  result.stats.seconds = reply.at("engine_seconds");
  result.summaries = unit_summaries_from_json(reply.at("summaries"));
  result.inputs = reply.at("inputs").get<std::map<std::string, std::string>>();
  result.parse_seconds = reply.at("parse_seconds");
  result.analysed = reply.at("analysed");
  result.used_pch = reply.at("used_pch");
  result.pch_rejected = reply.at("pch_rejected");
  const auto check = reply.at("model_check").get<std::array<std::vector<std::string>, 3>>();
  result.model_check = {check[0], check[1], check[2]};
  return result;
}

}  // namespace xfer::lint
