#include "kernels/cache/translation_cache.h"

#include "kernels/cache/own_build.h"
#include "kernels/jit.h"

namespace xfer::kernels {

TranslationCache::TranslationCache(const std::string& directory,
                                   const std::vector<std::string>& texts) {
  if (directory.empty() || own_build().empty()) return;
  const std::string& machine = Jit::instance().identity();
  if (machine.empty()) return;
  store_.emplace(directory);
  program_ = digest_of({own_build(), machine});
  for (const std::string& text : texts) program_ = digest_of({bytes_of(program_), text});
}

Translation TranslationCache::get(const std::string& kernel, const std::string& purpose,
                                  llvm::function_ref<Translation()> make) {
  if (!store_) return make();
  const Digest key = digest_of({bytes_of(program_), kernel, purpose});
  if (const auto bytes = store_->get(key))
    if (auto kept = decoded(*bytes)) return std::move(*kept);
  Translation made = make();
  store_->put(key, encoded(made));
  return made;
}

}  // namespace xfer::kernels
