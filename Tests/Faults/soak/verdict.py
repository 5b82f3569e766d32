"""What the samples of a soak say."""

MEBIBYTE = 1 << 20
#: Of resident memory, an hour.
GROWTH = 1.0 * MEBIBYTE
#: Descriptors and threads may differ by what is under way at the moment.
SLACK = {"descriptors": 0.05, "threads": 0.25}


def regression(samples, column):
    """Slope of a column in units an hour by least squares, and the standard error of the slope."""
    count = len(samples)
    if count < 3:
        return 0.0, float("inf")
    times, values = [each["seconds"] / 3600 for each in samples], [each[column] for each in samples]
    middle, mean = sum(times) / count, sum(values) / count
    spread = sum((time - middle) ** 2 for time in times)
    slope = sum((time - middle) * (value - mean) for time, value in zip(times, values)) / spread
    rest = sum((value - mean - slope * (time - middle)) ** 2 for time, value in zip(times, values))
    return slope, (rest / (count - 2) / spread) ** 0.5


class Verdict:
    def __init__(self, samples, warm_up):
        before = [each for each in samples if each["phase"] == "before"][-1]
        load = [each for each in samples if each["phase"] == "load"]
        start = load[0]["seconds"] if load else 0
        warm = [each for each in load if each["seconds"] - start >= warm_up]
        after = [each for each in samples if each["phase"] == "after"][-1]
        self.figures, self.faults = {}, []
        for column in ("rss", "anonymous"):
            slope, error = regression(warm, column)
            self.figures[f"{column} growth MB/h"] = f"{slope / MEBIBYTE:.2f} ± {error / MEBIBYTE:.2f}"
            if column == "rss" and slope > GROWTH:
                self.faults.append(f"resident memory grows by {slope / MEBIBYTE:.2f} MB an hour")
        top = max(each["rss"] for each in load)
        back = (top - after["rss"]) / max(1, top - before["rss"])
        self.figures["rss MB before, warm, last, most, after"] = ", ".join(
            f"{each / MEBIBYTE:.1f}" for each in (before["rss"], warm[0]["rss"], warm[-1]["rss"], top, after["rss"])
        )
        self.figures["given back"] = f"{back:.0%}"
        if back < 0.5:
            self.faults.append(f"only {back:.0%} of the memory is given back")
        for column, slack in SLACK.items():
            half = len(warm) // 2
            early, late = (
                sum(each[column] for each in part) / max(1, len(part)) for part in (warm[:half], warm[half:])
            )
            self.figures[column] = (
                f"before {before[column]}, first half {early:.1f}, second half {late:.1f}, after {after[column]}"
            )
            if late > early * (1 + slack) + 4:
                self.faults.append(f"{column} grow: {self.figures[column]}")
        for column in ("streams", "sessions"):
            if after[column] != before[column]:
                self.faults.append(f"{after[column]} {column} remain, {before[column]} were there before")

    def __str__(self):
        lines = [f"{name}: {value}" for name, value in self.figures.items()]
        return "\n".join([*lines, *(f"FAULT {fault}" for fault in self.faults)] or ["nothing was measured"])
