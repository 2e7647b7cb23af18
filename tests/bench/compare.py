#!/usr/bin/env python3
"""Runs ccaudit and its peers over one tree in turn and prints one table.

Exit status: 0 done, 1 a limit is not met, 2 a tool could not be run.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MB = 1_000_000
GB = 1_000_000_000
MIB = 1 << 20

# Limits on ccaudit.
LEAST_RATIO = 2.0  # CPU of ccusage / CPU of ccaudit
PEAK_BASE = 50  # MiB
PEAK_PER_GB = 40  # MiB

# The least that gives the right totals: only the columns that are needed, the types given.
DUCKDB = """
import duckdb, json, sys
rows = duckdb.sql('''
    SELECT sum(u.input_tokens), sum(u.output_tokens), sum(u.cache_read_input_tokens),
           sum(u.cache_creation.ephemeral_5m_input_tokens), sum(u.cache_creation.ephemeral_1h_input_tokens),
           count(*)
    FROM (
        SELECT any_value(message.usage) AS u
        FROM read_json($files, format = 'newline_delimited', maximum_object_size = $longest, columns = {
            type: 'VARCHAR',
            requestId: 'VARCHAR',
            message: 'STRUCT(id VARCHAR, usage STRUCT(input_tokens BIGINT, output_tokens BIGINT,
                cache_read_input_tokens BIGINT, cache_creation STRUCT(
                ephemeral_5m_input_tokens BIGINT, ephemeral_1h_input_tokens BIGINT)))'
        })
        WHERE type = 'assistant' AND message.usage IS NOT NULL
        GROUP BY message.id, requestId
    )
''', params={'files': sys.argv[1] + '/projects/**/*.jsonl', 'longest': int(sys.argv[2])}).fetchall()
names = ['input', 'output', 'read', 'write_5m', 'write_1h', 'responses']
print(json.dumps({name: int(value) for name, value in zip(names, rows[0])}))
"""


class Failed(Exception):
    """A tool could not be run, or said what cannot be understood."""


class Tool:
    def __init__(self, name, command, tokens=None, environment=None):
        self.name = name
        self.command = command
        self.tokens = tokens  # standard output -> the counts it names, or None where it counts nothing
        self.environment = environment or {}
        self.runs = []
        self.right = None  # None: it names no counts


class Run:
    def __init__(self, wall, usage):
        self.wall = wall
        self.cpu = usage.ru_utime + usage.ru_stime
        self.peak = usage.ru_maxrss * 1024 / MIB  # Linux counts in KiB


def of_ccaudit(out):
    data = json.loads(out)["data"]
    names = ["input", "output", "read", "write_5m", "write_1h", "write_unsplit"]
    counts = {name: int(data["totals"][name]) for name in names}
    responses = data["responses"]
    counts["responses"] = len(responses) if isinstance(responses, list) else int(responses)
    return counts


def of_ccusage(out):
    totals = json.loads(out)["totals"]
    return {
        "input": totals["inputTokens"],
        "output": totals["outputTokens"],
        "read": totals["cacheReadTokens"],
        "write": totals["cacheCreationTokens"],
    }


def of_claudelytics(out):
    days = json.loads(out)["daily"]
    names = {
        "input": "inputTokens",
        "output": "outputTokens",
        "read": "cacheReadTokens",
        "write": "cacheCreationTokens",
    }
    return {name: sum(day[key] for day in days) for name, key in names.items()}


def truth_of(tree):
    """What the generator of the tree wrote into it."""
    truth = json.loads((tree / "truth.json").read_text())
    once = truth["dedup"]
    counts = {
        "input": once["input"],
        "output": once["output"],
        "read": once["cache_read"],
        "write_5m": once["cc5m"],
        "write_1h": once["cc1h"],
        "write": once["cache_creation"],
        "write_unsplit": once["cache_creation"] - once["cc5m"] - once["cc1h"],
        "responses": truth["unique_msg"],
    }
    return truth, counts


def tools_of(options, tree, longest_line):
    tools = []
    if options.ccaudit:
        command = [options.ccaudit, "cache", "--root", str(tree), "--format", "json"]
        tools.append(Tool("ccaudit cache", command, of_ccaudit))
    if options.ccusage:
        command = [options.ccusage, "claude", "daily", "--offline", "--json"]
        tools.append(Tool("ccusage daily", command, of_ccusage, {"CLAUDE_CONFIG_DIR": str(tree)}))
    if options.claudelytics:
        command = [options.claudelytics, "--path", str(tree), "--json", "daily"]
        tools.append(Tool("claudelytics daily", command, of_claudelytics))
    if options.duckdb:
        longest = max(16 * MIB, longest_line + 1)  # 16 MiB is its default
        tools.append(Tool("DuckDB, explicit columns", [options.duckdb, "-c", DUCKDB, str(tree), str(longest)], json.loads))
    files = [str(tree / "projects"), "-type", "f", "-name", "*.jsonl"]
    tools.append(Tool("cat to /dev/null (floor)", ["find", *files, "-exec", "cat", "{}", "+"]))
    return tools


def run(tool, environment):
    """One run of a tool: what it took and what it said. Only this child is counted, with its own children."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        sink = out if tool.tokens else subprocess.DEVNULL
        start = time.perf_counter()
        try:
            child = subprocess.Popen(
                tool.command,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=err,
                env={**environment, **tool.environment},
            )
        except OSError as error:
            raise Failed(f"{tool.name}: {error}") from error
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)  # it is gone: nothing is left to wait for
        if child.returncode != 0:
            err.seek(0)
            last = err.read().decode(errors="replace").strip()[-500:]
            raise Failed(f"{tool.name}: exit status {child.returncode}: {last}")
        out.seek(0)
        return Run(wall, usage), out.read()


def check(tool, out, truth):
    """Compares every count that a tool names with the truth; one wrong run makes the tool wrong."""
    if not tool.tokens:
        return
    try:
        counts = tool.tokens(out)
    except (ValueError, KeyError, TypeError) as error:
        raise Failed(f"{tool.name}: its output is not what was expected: {error!r}") from error
    wrong = [f"{name} {n:,} for {truth[name]:,}" for name, n in counts.items() if n != truth[name]]
    if wrong and tool.right is not False:
        print(f"{tool.name}: {', '.join(wrong)}", file=sys.stderr)
    tool.right = tool.right is not False and not wrong


def measure(tools, rounds, truth):
    with tempfile.TemporaryDirectory() as home:
        # An empty home: settings and caches of whoever runs this are not part of the measurement.
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
        environment = {**kept, "HOME": home, "TZ": "UTC"}
        for number in range(rounds + 1):
            # Every other round backwards, so that no tool always runs behind the same one.
            for tool in tools if number % 2 == 0 else reversed(tools):
                ran, out = run(tool, environment)
                check(tool, out, truth)
                if number > 0:  # the first round warms the page cache
                    tool.runs.append(ran)


def median(tool, what):
    return statistics.median(getattr(ran, what) for ran in tool.runs)


def ratio(tool, base):
    """Median of the ratios within a round: load that comes and goes hits both."""
    return statistics.median(a.cpu / b.cpu for a, b in zip(tool.runs, base.runs))


def table(rows, plain):
    """Markdown, or columns that only spaces set apart; the first column is text, the others are figures."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = [
        [cell.ljust(width) if at == 0 else cell.rjust(width) for at, (cell, width) in enumerate(zip(row, widths))]
        for row in rows
    ]
    if plain:
        return "\n".join("  ".join(line).rstrip() for line in lines)
    rule = ["-" * width if at == 0 else "-" * (width - 1) + ":" for at, width in enumerate(widths)]
    return "\n".join(f"| {' | '.join(line)} |" for line in [lines[0], rule, *lines[1:]])


def report(tools, plain):
    base = tools[0]
    ours = "ours" if base.name.startswith("ccaudit") else base.name
    rows = [["tool", "wall s", "CPU s", "peak MiB", f"CPU / {ours}", "tokens equal truth"]]
    for tool in tools:
        rows.append([
            tool.name,
            f"{median(tool, 'wall'):.2f}",
            f"{median(tool, 'cpu'):.2f}",
            f"{max(ran.peak for ran in tool.runs):.0f}",
            f"{ratio(tool, base):.2f}",
            {True: "yes", False: "NO", None: "-"}[tool.right],
        ])
    return table(rows, plain)


def limits(tools, size):
    """Prints what is asked of ccaudit; returns whether all of it is met."""
    ours = next((tool for tool in tools if tool.name.startswith("ccaudit")), None)
    if not ours:
        print("ccaudit was not run: no limit checked")
        return True
    print(f"ccaudit: {size / MB / median(ours, 'cpu'):,.0f} MB per CPU second")
    peak = max(ran.peak for ran in ours.runs)
    most = PEAK_BASE + PEAK_PER_GB * size / GB
    checks = [
        ("tokens and responses equal the truth", "", ours.right),
        (f"peak memory <= {most:.0f} MiB", f"{peak:.0f} MiB", peak <= most),
    ]
    ccusage = next((tool for tool in tools if tool.name.startswith("ccusage")), None)
    if ccusage:
        times = ratio(ccusage, ours)
        checks.append((f"CPU of ccusage / ours >= {LEAST_RATIO:g}", f"{times:.2f}", times >= LEAST_RATIO))
    else:
        print("ccusage was not run: its limit is not checked")
    for limit, measured, met in checks:
        print(f"{limit}: {measured}{', ' if measured else ''}{'met' if met else 'NOT MET'}")
    return all(met for _, _, met in checks)


def load():
    return " ".join(f"{n:.2f}" for n in os.getloadavg())


def machine():
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
    cores = len(os.sched_getaffinity(0))
    return f"{cores} cores, {memory:.0f} GiB of memory, {platform.system()} on {platform.machine()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, required=True, help="folder with projects/ and truth.json")
    parser.add_argument("--ccaudit", metavar="BIN")
    parser.add_argument("--ccusage", metavar="BIN", help="the native binary of the platform package")
    parser.add_argument("--claudelytics", metavar="BIN")
    parser.add_argument("--duckdb", metavar="PYTHON", help="a Python that can import duckdb")
    parser.add_argument("--rounds", type=int, default=5, help="measured rounds (default 5)")
    parser.add_argument("--plain", action="store_true", help="aligned columns instead of Markdown")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")

    tree = options.tree.resolve()
    try:
        described, truth = truth_of(tree)
    except (OSError, ValueError, KeyError) as error:
        print(f"no truth to compare with: {error!r}", file=sys.stderr)
        return 2
    size = described["bytes"]
    tools = tools_of(options, tree, described["line_max"])
    before = load()
    try:
        measure(tools, options.rounds, truth)
    except Failed as error:
        print(error, file=sys.stderr)
        return 2

    print(f"{size / MB:,.0f} MB in {described['files']:,} files, {described['lines']:,} lines; "
          f"{options.rounds} rounds in turn, warm; wall and CPU are medians, peak is the highest")
    print(f"{machine()}; load average {before} at the start, {load()} at the end")
    print()
    print(report(tools, options.plain))
    print()
    return 0 if limits(tools, size) else 1


if __name__ == "__main__":
    sys.exit(main())
