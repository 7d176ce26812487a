"""Golden samples of narration: typed as they should read, matched by the program."""

from __future__ import annotations

from each_case import each_case
from narration.samples import FOLDER, Sample, read_samples, told

SAMPLES = [sample for path in sorted(FOLDER.glob("*.txt")) for sample in read_samples(path)]


@each_case("sample", SAMPLES)
def test_it_reads_as_it_should(sample: Sample) -> None:
    lines, wanted = told(sample), sample.wanted
    assert wanted
    found = any(lines[at : at + len(wanted)] == wanted for at in range(len(lines)))
    near = [line for line in lines if set(line.split()[:2]) & set(wanted[0].split()[:2])][:12]
    assert found, f"line {sample.line}: wanted {wanted}, told for example {near or lines[:12]}"
