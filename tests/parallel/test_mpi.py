"""Derivatives of programs for several processes, run by `mpiexec` within a time limit: few starts, many programs in each."""
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig

import pytest

from tests import ROOT

pytest.importorskip('mpi4py')
MPIEXEC = shutil.which('mpiexec', path=sysconfig.get_path('scripts')) or shutil.which('mpiexec')
pytestmark = pytest.mark.skipif(MPIEXEC is None, reason='no mpiexec')
WIDE = '''master ring redmin gathv scatv allgv a2av rsc2 scn_arrays exs_arrays split_comm heat cg halo halo2 allnb dictnb
    helper pair rows_of_a_matrix rows_that_are_read'''.split()
LIMIT = 400
REFUSED = {           # program of `refusals` -> what the error says, and the line that it shows
    'asked': ('test of requests', 'wait for them, or for all', 'done, y = request.test()'),
    'in_a_lambda': ('recv in a lambda that max calls', 'key=lambda source: comm.recv(source=source)'),
    'by_another': ('messages that another function waits for', 'request = comm.Irecv(v, source=0)')}


def run(count, script, *args):
    """What so many processes print; all of them are ended after a while."""
    path = str(ROOT) + os.pathsep + os.environ.get('PYTHONPATH', '')
    command = [MPIEXEC, '-n', str(count), sys.executable, str(ROOT / 'tests' / 'parallel' / script), *args]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, 'PYTHONPATH': path, 'OMP_NUM_THREADS': '1'})
    try:
        out, err = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        process.terminate()
        out, err = process.communicate()
        raise AssertionError(f'no end after {LIMIT} s:\n{out}\n{err}') from None
    return process.returncode, out, err


def wrong(out):
    """What is not right of the programs, by what they have printed."""
    lines = [line.split(': ', 1) for line in out.splitlines() if ': ' in line]
    assert lines
    return [line for line in lines if line[1:] != ['right']]


def test_every_program_alone():
    code, out, err = run(1, 'every.py', 'later', 'described', 'programs:ring,heat,cg,halo,exs_arrays')
    assert code == 0, out + err
    assert not wrong(out)


def test_every_program_of_two_and_an_operation_without_a_rule_is_refused_on_every_process():
    """The last of them fails; before it the inversion of the example finds a better conductivity."""
    code, out, err = run(2, 'every.py', 'programs', 'described', 'failures:example,refused')
    assert not wrong(out) and 'example: right' in out, out + err
    assert code != 0
    assert 'MPI.LAND has no derivative rule' in err and 'comm.allreduce(x, op=MPI.LAND)' in err


def test_every_program_of_three_and_a_process_that_raises_ends_all_and_says_where():
    """On more than two processes the neighbours of a process are two; the adjoint sends as many messages as the program."""
    code, out, err = run(3, 'every.py', 'later', 'communicators', f'programs:{",".join(WIDE)}', 'failures:traffic,raising')
    assert not wrong(out) and 'traffic: right' in out, out + err
    assert code != 0
    assert 'rank 1 of 3 has failed' in err
    assert 'ZeroDivisionError' in err and 'y = y / (x - x)' in err


def test_edges_that_nobody_reads_again_are_not_kept_and_a_class_with_a_size_is_no_communicator():
    code, out, err = run(1, 'failures.py', 'lean', 'shown')
    assert code == 0, out + err
    assert 'Sent_back(' in out and 'old' not in out and '_grads' not in out
    assert float(out.split()[-1]) == pytest.approx(3.0)


def test_a_process_that_raises_before_its_first_message_ends_all():
    code, out, err = run(2, 'failures.py', 'raising_first')
    assert code != 0 and not out
    assert 'rank 1 of 2 has failed' in err and 'x = x / (x - x)' in err


def test_a_message_shorter_than_its_buffer_is_an_error():
    code, out, err = run(2, 'failures.py', 'short')
    assert code != 0
    assert 'comm.Recv(buffer, source=0)' in err and '16 bytes came from rank 0 into a buffer of 24' in err


def test_what_is_refused_and_where():
    code, out, err = run(1, 'refusals.py')
    assert code == 0, out + err
    found = dict(line.split(': ', 1) for line in out.splitlines())
    assert {name: [text for text in texts if text not in found[name]] for name, texts in REFUSED.items()} == \
        dict.fromkeys(REFUSED, [])
    assert len(found) == len(REFUSED)


# numba_mpi

def skip_without_numba_mpi():
    if importlib.util.find_spec('numba_mpi') is None:              # to import it would start MPI in this process
        pytest.skip('numba_mpi is not installed')


@pytest.mark.parametrize('count, names, message, line', [
    (2, ['from_anybody'], 'says where it comes from and by which tag', ''),
    (1, ['told', 'refused'], 'isend, a message without a derivative rule', 'numba_mpi.isend(u, NEXT, 0)')], ids=['two', 'one'])
def test_compiled_programs_and_what_they_may_not_send(count, names, message, line):
    """The last of them fails."""
    skip_without_numba_mpi()
    code, out, err = run(count, 'compiled_programs.py', *names)
    assert not wrong(out) and ' compiled: right' in out, out + err
    assert code != 0
    assert message in err and line in err
