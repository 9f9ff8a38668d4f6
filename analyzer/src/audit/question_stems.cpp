// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/audit/asked_pair.hpp"
#include "sotto/question/bin.hpp"
#include "sotto/question/block.hpp"
#include "sotto/question/direction.hpp"
#include "sotto/question/label.hpp"
#include "sotto/question/moments.hpp"
#include "sotto/question/number.hpp"
#include "sotto/question/sketch.hpp"
#include "sotto/question/synopsis.hpp"
#include "sotto/question/top.hpp"
#include "sotto/question/update.hpp"
#include "sotto/question/value.hpp"
#include "sotto/question/vote.hpp"
#include "sotto/spec/block.hpp"
#include "sotto/spec/cross_polytope.hpp"
#include "sotto/spec/gaussian.hpp"
#include "sotto/spec/grr.hpp"
#include "sotto/spec/hadamard_response.hpp"
#include "sotto/spec/hemisphere.hpp"
#include "sotto/spec/laplace.hpp"
#include "sotto/spec/sphere_code.hpp"
#include "sotto/spec/vote.hpp"
#include "sotto/spec/walsh_hash.hpp"
#include "sotto/spec/window.hpp"

// The pairs of a question and a randomizer. Channels are small, because the fewer outcomes there are, the more a given
// number of reports shows.
namespace sotto::analyzer::audit {

namespace {

using P = AskedPair;

constexpr std::int32_t k_one = 1 << 24;  // Q24
constexpr std::uint32_t k_bound = 2 * k_one, k_radius = k_one / 32, k_target_bound = 1024, k_categories = 4;
constexpr std::uint32_t k_d = k_audit_features, k_packed = k_d * (k_d + 1) / 2 + k_d, k_waves = 8,
                        k_fourier = k_waves * (k_waves + 1) / 2 + k_waves;

// Randomizers.
void vote(P& p) { p.through(VoteSpec{.features = p.manifest.features}); }
void grr(P& p) { p.through(GrrSpec{.categories = k_categories}); }
void walsh_hash(P& p) { p.through(WalshHashSpec{.categories = k_categories, .bits = 3}); }
void hadamard_response(P& p) { p.through(HadamardResponseSpec{.log2_size = 3, .categories = k_categories}); }
void block(P& p) { p.through(BlockSpec{.width = 4, .flips = 1}); }
void window(P& p) { p.through(WindowSpec{.outcomes = 12, .width = 3}); }
void laplace(P& p) { p.through(LaplaceSpec{.radius = 2}); }
template <std::uint32_t size>
void hemisphere(P& p) {
  p.through(HemisphereSpec{.dimension = size + 1});
}
template <std::uint32_t size>
void cross_polytope(P& p) {
  p.through(CrossPolytopeSpec{.log2_size = 6, .dimension = size + 1, .closest = 32});
}
template <std::uint32_t size>
void sphere_code(P& p) {
  p.through(SphereCodeSpec{.dimension = size + 1, .codewords = 64, .closest = 16});
}
template <std::uint32_t radius, std::uint32_t size>
void gaussian(P& p) {
  p.through(GaussianSpec{.radius = radius, .dimension = size});
}

// Questions.
template <void (*stem)(P&)>
void vote_given(P& p) {
  p.contrast(Contrast::given);
  p.ask(Recipe::given, {});
  stem(p);
}
void many_features(P& p) {
  p.manifest.features = 1024;  // so many that the vote is hashed
  vote(p);
}
void vote_screen(P& p) {
  p.contrast(Contrast::feature);
  p.ask(Recipe::screen, {});
  vote(p);
}
void vote_lasso(P& p) {
  p.contrast(Contrast::feature);
  p.ask(Recipe::lasso, {4, 1000, 2, 500});
  vote(p);
}
template <void (*stem)(P&)>
void ranged(P& p) {
  p.contrast(Contrast::target);
  p.ask(Recipe::row_gradient, {0, k_bound, 0, 0, k_scope_all});
  p.range({-k_one / 8, k_one / 8});
  stem(p);
}
template <void (*stem)(P&)>
void number(P& p) {
  p.ask(Recipe::number, {k_rule_last, 0});
  p.range({-1000, 1000});
  stem(p);
}
void item(P& p) {
  p.ask(Recipe::item, {8, 0, 16, 0});
  p.through(GrrSpec{.categories = 8});
}
template <void (*stem)(P&)>
void cells(P& p) {
  p.contrast(Contrast::record);
  p.model({{0, 0}});
  p.ask(Recipe::cells, {2, k_target_bound, k_scope_model});
  stem(p);
}
void signs(P& p) {
  p.contrast(Contrast::target);
  p.ask(Recipe::signs, {k_one / 4, k_scope_all});
  block(p);
}
template <void (*stem)(P&)>
void target(P& p) {
  p.contrast(Contrast::target);
  p.ask(Recipe::target, {k_target_bound});
  stem(p);
}
template <void (*stem)(P&)>
void gradient(P& p) {
  p.contrast(Contrast::target);
  p.ask(Recipe::gradient, {k_radius, k_bound, 0, 0, k_scope_all});
  stem(p);
}
template <void (*stem)(P&)>
void packed(P& p) {
  p.contrast(Contrast::pattern);
  p.ask(Recipe::packed, {k_radius, 0, 0, 0, k_scope_all});
  stem(p);
}
template <void (*stem)(P&)>
void packed_fourier(P& p) {
  p.contrast(Contrast::feature);
  p.ask(Recipe::packed_fourier, {k_radius, k_waves, 1u << 16});
  stem(p);
}
template <void (*stem)(P&)>
void steps(P& p) {
  p.contrast(Contrast::target);
  p.ask(Recipe::steps, {k_radius, k_bound, 0, 0, static_cast<std::uint32_t>(k_one), step_counts(3, k_d)});
  stem(p);
}
void projection(P& p) {
  p.contrast(Contrast::record);
  p.ask(Recipe::hadamard, {k_radius, 40, 30, k_target_bound, 32});
  gaussian<50, 9>(p);
}
void copies(P& p) {
  p.contrast(Contrast::record);
  p.ask(Recipe::copies, {k_radius, 40, 60, k_target_bound, 4, k_scope_all});
  gaussian<100, 4 * k_d + 1>(p);
}

const QuestionStem k_pairs[] = {
    {"vote_given", "vote/grr", &k_vote_given, vote_given<vote>},
    {"vote_given", "vote/walsh_hash", &k_vote_given, vote_given<many_features>},
    {"vote_screen", "vote/grr", &k_vote_screen, vote_screen},
    {"vote", "vote/grr", &k_vote, vote_lasso},
    {"bin", "grr", &k_bin, ranged<grr>},
    {"bin", "walsh_hash", &k_bin, ranged<walsh_hash>},
    {"bin", "hadamard_response", &k_bin, ranged<hadamard_response>},
    {"bin_cells", "grr", &k_bin_cells, cells<grr>},
    {"bin_cells", "walsh_hash", &k_bin_cells, cells<walsh_hash>},
    {"bin_cells", "hadamard_response", &k_bin_cells, cells<hadamard_response>},
    {"block", "block", &k_block, signs},
    {"value", "window", &k_value, ranged<window>},
    {"value", "laplace", &k_value, ranged<laplace>},
    {"label", "window", &k_label, target<window>},
    {"label", "laplace", &k_label, target<laplace>},
    {"label_noisy", "window", &k_label_noisy, target<window>},
    {"label_noisy", "laplace", &k_label_noisy, target<laplace>},
    {"label_noisy", "gaussian", &k_label_noisy, target<gaussian<8, 1>>, true},
    {"number", "grr", &k_number, number<grr>},
    {"number", "walsh_hash", &k_number, number<walsh_hash>},
    {"number", "window", &k_number, number<window>},
    {"number", "laplace", &k_number, number<laplace>},
    {"top", "grr", &k_top, item},
    {"direction", "hemisphere", &k_direction, gradient<hemisphere<k_d>>},
    {"direction", "cross_polytope", &k_direction, gradient<cross_polytope<k_d>>},
    {"direction", "sphere_code", &k_direction, gradient<sphere_code<k_d>>},
    {"moments", "hemisphere", &k_moments, packed<hemisphere<k_packed>>},
    {"moments", "cross_polytope", &k_moments, packed<cross_polytope<k_packed>>},
    {"moments", "sphere_code", &k_moments, packed<sphere_code<k_packed>>},
    {"moments_fourier", "hemisphere", &k_moments_fourier, packed_fourier<hemisphere<k_fourier>>},
    {"moments_fourier", "cross_polytope", &k_moments_fourier, packed_fourier<cross_polytope<k_fourier>>},
    {"moments_fourier", "sphere_code", &k_moments_fourier, packed_fourier<sphere_code<k_fourier>>},
    {"update", "hemisphere", &k_update, steps<hemisphere<k_d>>},
    {"update", "cross_polytope", &k_update, steps<cross_polytope<k_d>>},
    {"update", "sphere_code", &k_update, steps<sphere_code<k_d>>},
    {"update_noisy", "hemisphere", &k_update_noisy, steps<hemisphere<k_d>>},
    {"update_noisy", "cross_polytope", &k_update_noisy, steps<cross_polytope<k_d>>},
    {"update_noisy", "sphere_code", &k_update_noisy, steps<sphere_code<k_d>>},
    {"update_noisy", "gaussian", &k_update_noisy, steps<gaussian<50, k_d>>, true},
    {"sketch", "gaussian", &k_sketch, projection, true},
    {"synopsis", "gaussian", &k_synopsis, copies, true},
};

}  // namespace

std::span<const QuestionStem> question_stems() noexcept { return k_pairs; }

void ask_pair(const QuestionStem& which, EpsilonNano epsilon, AskedPair& pair) noexcept {
  pair.begin(epsilon);
  which.ask(pair);
  pair.write(which.asked->kind);
}

}  // namespace sotto::analyzer::audit
