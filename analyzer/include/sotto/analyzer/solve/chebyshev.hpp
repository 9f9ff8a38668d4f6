// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Chebyshev approximation of a smooth function by a polynomial. The protocol smooth-glm replaces a link function by
/// such a polynomial, of which unbiased private estimates exist.

#include <cstdint>
#include <functional>
#include <vector>

namespace sotto::analyzer {

/// The coefficients a_0 .. a_degree of f(t) ~ a_0/2 + sum_{k>=1} a_k T_k(t) on [-1, 1], T_k the Chebyshev polynomials:
/// a_k = 2/pi Int_0^pi f(cos u) cos(k u) du by the trapezoidal rule, which converges faster than any power for a smooth
/// f.
[[nodiscard]] std::vector<double> chebyshev_coefficients(const std::function<double(double)>& f, std::uint32_t degree);

/// The same polynomial in powers: c_0 + c_1 t + ... + c_degree t^degree.
[[nodiscard]] std::vector<double> chebyshev_to_powers(const std::vector<double>& a);

/// The largest |f(t) - polynomial(t)| over 2001 points of [-1, 1].
[[nodiscard]] double polynomial_error(const std::function<double(double)>& f, const std::vector<double>& powers);

}  // namespace sotto::analyzer
