from pathlib import Path

from sandbox_bridge.turns.record import Record, Records

END = {"type": "execution_complete", "prompt": 1}
PUSHED = {"type": "pushed", "prompt": 1}


def test_a_record_is_read_back_by_a_later_bridge(tmp_path: Path):
    records = Records(tmp_path)
    records.begin(1)
    records.begin(2)
    records.finish(2, [PUSHED, END])

    later = Records(tmp_path)

    assert later.of(1) == Record()
    assert later.of(2) == Record((PUSHED, END))
    assert later.of(3) is None


def test_what_was_acknowledged_is_not_owed_any_more(tmp_path: Path):
    records = Records(tmp_path)
    records.finish(1, [PUSHED, END])

    records.acknowledge([{"type": "text"}, PUSHED])

    assert Records(tmp_path).of(1) == Record((END,))
    records.acknowledge([END])
    assert Records(tmp_path).of(1) == Record(())
    assert Record(()).is_done


def test_a_turn_that_runs_owes_nothing_yet(tmp_path: Path):
    records = Records(tmp_path)
    records.begin(1)

    records.acknowledge([END])

    assert records.of(1) == Record()
