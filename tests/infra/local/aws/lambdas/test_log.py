"""One bounded file, written by processes that know nothing of its rotation."""

import os
from io import StringIO
from pathlib import Path

from infra.local.aws.lambdas.log import LambdaLog
from infra.local.aws.lambdas.worker import StampedLines


def test_a_full_file_is_kept_beside_and_writing_goes_on(tmp_path: Path) -> None:
    log = LambdaLog(tmp_path / "logs" / "lambda.log", largest=10)

    os.write(log.descriptor, b"a long line\n")
    log.rotate()
    os.write(log.descriptor, b"next\n")
    log.rotate()

    assert log.path.read_text() == "next\n"
    assert log.path.with_name("lambda.log.1").read_text() == "a long line\n"
    os.close(log.descriptor)


def test_every_line_becomes_an_object_that_names_the_function() -> None:
    out = StringIO()
    stream = StampedLines("echo", out)

    stream.write('{"level": "INFO"}\n')
    stream.write("half ")
    stream.write('of a "line"\n\nand')

    assert out.getvalue() == (
        '{"function": "echo", "level": "INFO"}\n'
        '{"function": "echo", "message": "half of a \\"line\\""}\n'
    )
