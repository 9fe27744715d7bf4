// The JSON between xferlint and its worker processes.

#include <array>

#include "analyzer/driver/worker.h"

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
          {"check_models", setup.check_models},
          {"memory_bytes", setup.memory_bytes}};
}

json to_json(const ParseJob& job) {
  json result = to_json(job.command);
  result["kind"] = "parse";
  result["pch"] = job.pch;
  result["output"] = job.output;
  return result;
}

ParseJob parse_job_from_json(const json& json) {
  return {command_from_json(json), json.at("pch"), json.at("output")};
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

json to_json(const ParseReply& reply) {
  const analyzer::ModelCheck& check = reply.model_check;
  return {{"used_pch", reply.used_pch},
          {"pch_rejected", reply.pch_rejected},
          {"parse_seconds", reply.parse_seconds},
          {"read_seconds", reply.read_seconds},
          {"read", reply.read},
          {"model_check", {check.unmatched, check.unchecked, check.libraries}}};
}

ParseReply parse_reply_from_json(const json& json) {
  const auto check = json.at("model_check").get<std::array<std::vector<std::string>, 3>>();
  return {{check[0], check[1], check[2]}, json.at("read"),          json.at("used_pch"),
          json.at("pch_rejected"),        json.at("parse_seconds"), json.at("read_seconds")};
}

}  // namespace xfer::lint
