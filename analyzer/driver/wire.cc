// The JSON between xferlint and its worker processes.

#include <array>
#include <sstream>

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

}  // namespace

json to_json(const WorkerSetup& setup) {
  return {{"root", setup.root},
          {"models", setup.models},
          {"rules", setup.rules},
          {"explain_unknown", setup.explain_unknown},
          {"check_models", setup.check_models}};
}

json analyze_job(const ParseCommand& command, const std::string& pch) {
  json job = to_json(command);
  job["kind"] = "analyze";
  job["pch"] = pch;
  return job;
}

json pch_job(const ParseCommand& command, const std::string& header, const std::string& output) {
  json job = to_json(command);
  job["kind"] = "pch";
  job["header"] = header;
  job["output"] = output;
  return job;
}

json to_json(const UnitResult& result) {
  std::ostringstream findings;
  write_json(Report{.tool = "xferlint", .findings = result.findings}, findings);
  json errors = json::array();
  for (const ParseError& error : result.errors) {
    errors.push_back({{"file", error.file},
                      {"line", error.line},
                      {"column", error.column},
                      {"message", error.message}});
  }
  return {{"report", findings.str()},
          {"errors", std::move(errors)},
          {"functions", result.stats.functions},
          {"blocks", result.stats.blocks},
          {"skipped", result.stats.skipped},
          {"unknown", result.stats.unknown},
          {"engine_seconds", result.stats.seconds},
          {"parse_seconds", result.parse_seconds},
          {"analysed", result.analysed},
          {"used_pch", result.used_pch},
          {"pch_rejected", result.pch_rejected},
          {"model_check",
           {result.model_check.unmatched, result.model_check.unchecked,
            result.model_check.libraries}}};
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
  result.stats.unknown = reply.at("unknown").get<std::map<std::string, unsigned>>();
  result.stats.seconds = reply.at("engine_seconds");
  result.parse_seconds = reply.at("parse_seconds");
  result.analysed = reply.at("analysed");
  result.used_pch = reply.at("used_pch");
  result.pch_rejected = reply.at("pch_rejected");
  const auto check = reply.at("model_check").get<std::array<std::vector<std::string>, 3>>();
  result.model_check = {check[0], check[1], check[2]};
  return result;
}

}  // namespace xfer::lint
