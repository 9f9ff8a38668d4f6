# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Arguments of Python in the words of the command line, whose parser checks them."""


def word(value):
    """A value as the command line writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:  # a number of numpy
        return word(value.item())
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(value) if isinstance(value, float) else str(value)


def words(**options):
    """The options that are not None: a list stands for an option that is given several times."""
    out = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            out.append(option)
        elif isinstance(value, (list, tuple)):
            out += [f"{option}={word(each)}" for each in value]
        else:
            out.append(f"{option}={word(value)}")
    return out


def commas(values):
    """A list as one word, such as 0.5,0.9."""
    return None if values is None else ",".join(word(each) for each in values) if not isinstance(values, str) else values


def level_words(levels):
    """{"color": ["red", "green"]} as the words of --levels."""
    return None if levels is None else [f"{column}={','.join(map(str, each))}" for column, each in levels.items()]


def column_list(columns):
    """A name or several as a list."""
    return [columns] if isinstance(columns, str) else columns


def usual_nonzeros(nonzeros, features):
    """8, as on the command line, or all of fewer features."""
    return min(8, features) if nonzeros is None and isinstance(features, int) and 0 < features < 8 else nonzeros
