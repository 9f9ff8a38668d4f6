// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <pybind11/pybind11.h>

namespace sotto::python {

// Each adds the functions of one verb to the module.
void bind_channel(pybind11::module_& module);
void bind_fit(pybind11::module_& module);
void bind_plan(pybind11::module_& module);
void bind_reports(pybind11::module_& module);
void bind_simulate(pybind11::module_& module);
void bind_study(pybind11::module_& module);

}  // namespace sotto::python
