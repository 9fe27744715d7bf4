#include "analyzer/driver/models.h"

#include "analyzer/driver/usage_error.h"

namespace xfer::lint {

analyzer::ModelSet load_models(const std::vector<std::string>& files) {
  llvm::Expected<analyzer::ModelSet> models = analyzer::ModelSet::builtin();
  if (!models) throw UsageError("built-in models: " + llvm::toString(models.takeError()));
  for (const std::string& file : files)
    if (llvm::Error error = models->add_file(file))
      throw UsageError(llvm::toString(std::move(error)));
  return std::move(*models);
}

}  // namespace xfer::lint
