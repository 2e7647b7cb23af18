#!/usr/bin/env python3
"""Totals of a tree, computed with nothing but the json module: a second opinion for the tests.

usage: sample_totals.py TREE            print the totals as JSON
       sample_totals.py TREE --check    print them and fail unless the ratios of the sample hold
"""
import json
import pathlib
import sys
from collections import defaultdict

FIELDS = ("input", "output", "write_5m", "write_1h", "unsplit", "read")


def counts(usage):
    split = usage.get("cache_creation") or {}
    five = split.get("ephemeral_5m_input_tokens") or 0
    hour = split.get("ephemeral_1h_input_tokens") or 0
    flat = usage.get("cache_creation_input_tokens") or 0
    return {
        "input": usage.get("input_tokens") or 0,
        "output": usage.get("output_tokens") or 0,
        "write_5m": five,
        "write_1h": hour,
        "unsplit": max(flat - five - hour, 0),
        "read": usage.get("cache_read_input_tokens") or 0,
    }


def rank(entry):
    usage = entry["message"]["usage"]
    c = counts(usage)
    rest = c["input"] + c["write_5m"] + c["write_1h"] + c["unsplit"] + c["read"]
    text = json.dumps(usage, sort_keys=True, separators=(",", ":"))
    return c["output"], entry["message"].get("stop_reason") is not None, rest, text


def session_of(path):
    return path.parent.parent.name if path.parent.name == "subagents" else path.stem


def load(tree):
    files, issues = {}, []
    for path in sorted((tree / "projects").rglob("*.jsonl")):
        rows = []
        for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
            if not line.strip():
                continue
            try:
                rows.append(json.loads(line))
            except ValueError:
                issues.append({"file": path.relative_to(tree).as_posix(), "line": number})
        files[path] = rows
    return files, issues


def owner(holders, unshared):
    """One of (path, entry) pairs of a response."""
    named = [h for h in holders if session_of(h[0]) == h[1].get("sessionId")] or holders
    def key(h):
        path, entry = h
        return "forkedFrom" in entry, "requestId" not in entry, unshared[path], path.as_posix()
    return session_of(min(named, key=key)[0])


def main():
    tree = pathlib.Path(sys.argv[1])
    files, issues = load(tree)
    places = defaultdict(set)
    for path, rows in files.items():
        for row in rows:
            if "uuid" in row:
                places[row["uuid"]].add(path)
    unshared = {
        path: min((r["timestamp"] for r in rows if "timestamp" in r and len(places[r.get("uuid")]) < 2), default="")
        for path, rows in files.items()
    }
    groups = defaultdict(list)
    for path, rows in files.items():
        for row in rows:
            message = row.get("message") or {}
            if row.get("type") != "assistant" or "usage" not in message or message.get("model") == "<synthetic>":
                continue
            groups[message.get("id") or row.get("requestId") or row["uuid"]].append((path, row))
    total = dict.fromkeys(FIELDS, 0)
    sessions = defaultdict(lambda: {"responses": 0, **dict.fromkeys(FIELDS, 0)})
    for held in groups.values():
        best = max((row for _, row in held), key=rank)
        mine = sessions[owner(held, unshared)]
        mine["responses"] += 1
        for field, value in counts(best["message"]["usage"]).items():
            total[field] += value
            mine[field] += value
    write = total["write_5m"] + total["write_1h"] + total["unsplit"]
    prompt = total["read"] + write + total["input"]
    out = {
        "files": len(files),
        "entries": sum(len(rows) for rows in files.values()),
        "issues": issues,
        "assistant_entries": sum(len(held) for held in groups.values()),
        "responses": len(groups),
        "usage": total,
        "ratios": {
            "read-input": round(total["read"] / (total["read"] + total["input"]), 6),
            "prompt-share": round(total["read"] / prompt, 6),
            "ttl-5m-share": round(total["write_5m"] / write, 6),
            "prompt-per-output": round(prompt / total["output"], 3),
        },
        "sessions": {name: sessions[name] for name in sorted(sessions)},
    }
    print(json.dumps(out, indent=2))
    if "--check" in sys.argv:
        r = out["ratios"]
        assert 0.8940 <= r["read-input"] <= 0.8949, r
        assert 0.7755 <= r["prompt-share"] <= 0.7764, r
        assert 0.9939 <= r["ttl-5m-share"] <= 0.9945, r
        assert 170.5 <= r["prompt-per-output"] <= 171.5, r


main()
