// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The hooks of device/ports/crypto: libsodium's for real, Monocypher's and PSA's against headers with their signatures.
#include <gtest/gtest.h>
#include <monocypher-ed25519.h>
#include <psa/crypto.h>
#include <sodium.h>

#include <cstring>
#include <map>
#include <ostream>
#include <vector>

#include "sotto.h"
#include "sotto_verify.h"
#include "vectors_ed25519.hpp"

namespace {

std::map<psa_key_id_t, std::vector<std::uint8_t>> slots;  ///< keys that PSA holds
bool psa_knows_eddsa = true;

}  // namespace

// The libraries' part, as their documents describe it.
int crypto_ed25519_check(const uint8_t signature[64], const uint8_t public_key[32], const uint8_t* message,
                         size_t message_size) {
  return crypto_sign_verify_detached(signature, message, message_size, public_key);
}

psa_status_t psa_import_key(const psa_key_attributes_t* attributes, const uint8_t* data, size_t data_length,
                            psa_key_id_t* key) {
  if (!psa_knows_eddsa || attributes->type != 0x4142 || attributes->bits != 255 || attributes->usage != 0x800 ||
      attributes->algorithm != PSA_ALG_PURE_EDDSA || data_length != 32)
    return PSA_ERROR_NOT_SUPPORTED;
  *key = static_cast<psa_key_id_t>(slots.size() + 1);
  slots[*key].assign(data, data + data_length);
  return PSA_SUCCESS;
}

psa_status_t psa_verify_message(psa_key_id_t key, psa_algorithm_t alg, const uint8_t* input, size_t input_length,
                                const uint8_t* signature, size_t signature_length) {
  if (alg != PSA_ALG_PURE_EDDSA || signature_length != 64) return PSA_ERROR_NOT_SUPPORTED;
  const bool good = crypto_sign_verify_detached(signature, input, input_length, slots.at(key).data()) == 0;
  return good ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE;
}

psa_status_t psa_destroy_key(psa_key_id_t key) { return slots.erase(key) == 1 ? PSA_SUCCESS : PSA_ERROR_NOT_SUPPORTED; }

namespace {

using Hook = bool (*)(void*, const uint8_t*, size_t, const uint8_t*, size_t);

struct Named {
  const char* name;
  Hook hook;
  friend void PrintTo(const Named& named, std::ostream* out) { *out << named.name; }
};
constexpr Named k_hooks[] = {{"sotto", sotto_ed25519_verify},
                             {"libsodium", sotto_verify_libsodium},
                             {"monocypher", sotto_verify_monocypher},
                             {"psa", sotto_verify_psa}};

class VerifyAdapters : public ::testing::TestWithParam<Named> {
 protected:
  void SetUp() override {
    ASSERT_GE(sodium_init(), 0);
    slots.clear();
    psa_knows_eddsa = true;
  }
  /// The vector's verdict by the hook; fits sotto_hooks, whose member it is put into.
  static bool accepts(sotto::vectors::Ed25519Case v, std::size_t signature_bytes = 64) {
    sotto_hooks hooks = {};
    hooks.verify = GetParam().hook;
    hooks.verify_context = v.key.data();
    return hooks.verify(hooks.verify_context, sotto::vectors::k_ed25519_bytes + v.first, v.length, v.signature.data(),
                        signature_bytes);
  }
};

TEST_P(VerifyAdapters, have_the_verdicts_of_the_vectors) {
  for (const auto& v : sotto::vectors::k_ed25519) EXPECT_EQ(accepts(v), v.valid) << v.kind;
  EXPECT_TRUE(slots.empty());  // every key was given back
}

TEST_P(VerifyAdapters, refuse_signatures_of_another_size) {
  const auto& v = sotto::vectors::k_ed25519[0];
  EXPECT_TRUE(accepts(v));
  for (const std::size_t size : {std::size_t{0}, std::size_t{32}, std::size_t{63}, std::size_t{65}, std::size_t{96}})
    EXPECT_FALSE(accepts(v, size)) << size;
}

INSTANTIATE_TEST_SUITE_P(Hooks, VerifyAdapters, ::testing::ValuesIn(k_hooks),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

TEST(VerifyPsa, refuses_where_the_library_has_no_eddsa) {
  psa_knows_eddsa = false;
  auto v = sotto::vectors::k_ed25519[0];
  EXPECT_FALSE(
      sotto_verify_psa(v.key.data(), sotto::vectors::k_ed25519_bytes + v.first, v.length, v.signature.data(), 64));
}

}  // namespace
