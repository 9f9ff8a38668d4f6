// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "question_pairs.hpp"

#include "sotto/question/bin.hpp"
#include "sotto/question/block.hpp"
#include "sotto/question/direction.hpp"
#include "sotto/question/label.hpp"
#include "sotto/question/moments.hpp"
#include "sotto/question/sketch.hpp"
#include "sotto/question/synopsis.hpp"
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

namespace sotto {
namespace {

using A = AskedQuestion;

constexpr std::int32_t k_one = 1 << 24;
constexpr std::uint32_t k_radius = k_one / 2, k_bound = 2 * k_one, k_bins = 50;
constexpr std::uint32_t k_packed = 6 * 7 / 2 + 6, k_fourier = 8 * 9 / 2 + 8;

void vote_grr(A& a) { a.through(VoteSpec{.features = k_asked_features}); }
void grr(A& a) { a.through(GrrSpec{.categories = k_bins}); }
void walsh_hash(A& a) { a.through(WalshHashSpec{.categories = k_bins, .bits = 3}); }
void hadamard_response(A& a) { a.through(HadamardResponseSpec{.log2_size = 6, .categories = k_bins}); }
void block(A& a) { a.through(BlockSpec{.width = 5, .flips = 1}); }
void window(A& a) { a.through(WindowSpec{.outcomes = 5, .width = 2}); }
void laplace(A& a) { a.through(LaplaceSpec{.radius = 256}); }
template <std::uint32_t size>
void cross_polytope(A& a) {
  a.through(CrossPolytopeSpec{.log2_size = 6, .dimension = size + 1, .closest = 8});
}
template <std::uint32_t size>
void sphere_code(A& a) {
  a.through(SphereCodeSpec{.dimension = size + 1, .codewords = 256, .closest = 40});
}
template <std::uint32_t size>
void hemisphere(A& a) {
  a.through(HemisphereSpec{.dimension = size + 1});
}
void gaussian(A& a) {
  const DeltaUnits before = a.manifest.delta;
  a.manifest.delta = 18446744073709u;  // 1e-6
  a.through(GaussianSpec{.radius = 100, .dimension = 1});
  a.manifest.delta = before;
}

// A recipe for each question, and the stem behind it.
void vote_given_walsh(A& a) {
  a.manifest.features = 1024;
  a.ask(Recipe::given, {});
  a.through(VoteSpec{.features = 1024});
}
void vote_given_grr(A& a) {
  a.ask(Recipe::given, {});
  vote_grr(a);
}
void vote_screen_grr(A& a) {
  a.ask(Recipe::screen, {});
  vote_grr(a);
}
void vote_weighted_grr(A& a) {
  a.ask(Recipe::lasso, {4, 1000, 2, 500});
  vote_grr(a);
}
template <void (*stem)(A&)>
void bin_of(A& a) {
  a.ask(Recipe::row_gradient, {0, k_bound, 0, 0, k_scope_all});
  a.pairs({{-k_one / 8, k_one / 16}});
  stem(a);
}
template <void (*stem)(A&)>
void cells_of(A& a) {
  a.model({{0, 0}, {3, 0}});
  a.ask(Recipe::cells, {5, 8192, 0});
  stem(a);
}
void signs_of_block(A& a) {
  a.ask(Recipe::signs, {k_bound, k_scope_all});
  block(a);
}
template <void (*stem)(A&)>
void label_of(A& a) {
  a.ask(Recipe::target, {8192});
  stem(a);
}
template <void (*stem)(A&)>
void direction_of(A& a) {
  a.ask(Recipe::gradient, {k_radius, k_bound, 0, 0, k_scope_all});
  stem(a);
}
template <void (*stem)(A&)>
void moments_of(A& a) {
  a.ask(Recipe::packed, {k_radius, 0, 0, 0, k_scope_all});
  stem(a);
}
template <void (*stem)(A&)>
void fourier_of(A& a) {
  a.ask(Recipe::packed_fourier, {2 * k_one, 8, 1u << 16});
  stem(a);
}
template <void (*stem)(A&)>
void update_of(A& a) {
  a.ask(Recipe::steps, {k_radius, k_bound, 0, 0, static_cast<std::uint32_t>(k_one), 3u | 4u << 16});
  stem(a);
}

constexpr std::uint32_t k_d = k_asked_features;

const QuestionPair k_pairs[k_question_pairs] = {
    {"session_vote_given_grr", &k_vote_given, Stem::vote, vote_given_grr},
    {"session_vote_given_walsh", &k_vote_given, Stem::vote, vote_given_walsh},
    {"session_vote_screen", &k_vote_screen, Stem::vote, vote_screen_grr},
    {"session_vote_weighted", &k_vote, Stem::vote, vote_weighted_grr},
    {"session_bin_grr", &k_bin, Stem::grr, bin_of<grr>},
    {"session_bin_walsh_hash", &k_bin, Stem::walsh_hash, bin_of<walsh_hash>},
    {"session_bin_hadamard_response", &k_bin, Stem::hadamard_response, bin_of<hadamard_response>},
    {"session_cells_grr", &k_bin_cells, Stem::grr, cells_of<grr>},
    {"session_cells_walsh_hash", &k_bin_cells, Stem::walsh_hash, cells_of<walsh_hash>},
    {"session_cells_hadamard_response", &k_bin_cells, Stem::hadamard_response, cells_of<hadamard_response>},
    {"session_block", &k_block, Stem::block, signs_of_block},
    {"session_value_window", &k_value, Stem::window, bin_of<window>},
    {"session_value_laplace", &k_value, Stem::laplace, bin_of<laplace>},
    {"session_label_window", &k_label, Stem::window, label_of<window>},
    {"session_label_laplace", &k_label, Stem::laplace, label_of<laplace>},
    {"session_label_noisy_window", &k_label_noisy, Stem::window, label_of<window>},
    {"session_label_noisy_laplace", &k_label_noisy, Stem::laplace, label_of<laplace>},
    {"session_direction_cross_polytope", &k_direction, Stem::cross_polytope, direction_of<cross_polytope<k_d>>},
    {"session_direction_sphere_code", &k_direction, Stem::sphere_code, direction_of<sphere_code<k_d>>},
    {"session_direction_hemisphere", &k_direction, Stem::hemisphere, direction_of<hemisphere<k_d>>},
    {"session_moments_cross_polytope", &k_moments, Stem::cross_polytope, moments_of<cross_polytope<k_packed>>},
    {"session_moments_sphere_code", &k_moments, Stem::sphere_code, moments_of<sphere_code<k_packed>>},
    {"session_moments_hemisphere", &k_moments, Stem::hemisphere, moments_of<hemisphere<k_packed>>},
    {"session_fourier_cross_polytope", &k_moments_fourier, Stem::cross_polytope, fourier_of<cross_polytope<k_fourier>>},
    {"session_fourier_sphere_code", &k_moments_fourier, Stem::sphere_code, fourier_of<sphere_code<k_fourier>>},
    {"session_fourier_hemisphere", &k_moments_fourier, Stem::hemisphere, fourier_of<hemisphere<k_fourier>>},
    {"session_update_cross_polytope", &k_update, Stem::cross_polytope, update_of<cross_polytope<k_d>>},
    {"session_update_sphere_code", &k_update, Stem::sphere_code, update_of<sphere_code<k_d>>},
    {"session_update_hemisphere", &k_update, Stem::hemisphere, update_of<hemisphere<k_d>>},
    {"session_update_noisy_cross_polytope", &k_update_noisy, Stem::cross_polytope, update_of<cross_polytope<k_d>>},
    {"session_update_noisy_sphere_code", &k_update_noisy, Stem::sphere_code, update_of<sphere_code<k_d>>},
    {"session_update_noisy_hemisphere", &k_update_noisy, Stem::hemisphere, update_of<hemisphere<k_d>>},
};

void sketch_of_gaussian(A& a) {
  a.ask(Recipe::fourier, {static_cast<std::uint32_t>(k_one), 40, 30, 8192, 1u << 16});
  gaussian(a);
}
void synopsis_of_gaussian(A& a) {
  a.ask(Recipe::copies, {static_cast<std::uint32_t>(k_one), 40, 60, 8192, 4, k_scope_all});
  gaussian(a);
}
const LeftOut k_left_out[] = {{&k_label_noisy, Stem::gaussian, label_of<gaussian>},
                              {&k_sketch, Stem::gaussian, sketch_of_gaussian},
                              {&k_synopsis, Stem::gaussian, synopsis_of_gaussian},
                              {&k_update_noisy, Stem::gaussian, update_of<gaussian>}};

const StemSpec k_stems[] = {{Stem::grr, grr},
                            {Stem::walsh_hash, walsh_hash},
                            {Stem::hadamard_response, hadamard_response},
                            {Stem::block, block},
                            {Stem::window, window},
                            {Stem::hemisphere, hemisphere<k_d>},
                            {Stem::cross_polytope, cross_polytope<k_d>},
                            {Stem::sphere_code, sphere_code<k_d>},
                            {Stem::laplace, laplace},
                            {Stem::gaussian, gaussian},
                            {Stem::vote, vote_grr}};

}  // namespace

std::span<const QuestionPair, k_question_pairs> question_pairs() { return k_pairs; }

std::span<const LeftOut> left_out() { return k_left_out; }

std::span<const StemSpec> every_stem() { return k_stems; }

}  // namespace sotto
