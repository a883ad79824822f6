"""The page and the picture of the rooms are what their docstrings say, and every room says where it stands."""
import pytest

from docs import architecture
from tests import test_house

ROOMS = dict(architecture.rooms())


def test_the_page_is_made_of_the_docstrings(request):
    if request.config.getoption('--update-docs'):
        architecture.PAGE.write_text(architecture.page(), encoding='utf-8')
        architecture.PICTURE.write_text(architecture.picture(), encoding='utf-8')
    assert architecture.PAGE.read_text(encoding='utf-8') == architecture.page(), 'python -m docs.architecture writes it'
    assert architecture.PICTURE.read_text(encoding='utf-8') == architecture.picture()


def test_the_rooms_are_those_of_the_house():
    assert architecture.ROOMS == test_house.ORDER[1:test_house.ORDER.index('interfaces') + 1]


@pytest.mark.parametrize('room', ROOMS)
def test_a_room_says_what_it_is_for(room):
    """What enters, what leaves, what may be imported, where to start reading: in twenty lines at most."""
    assert all(word in ROOMS[room].lower() for word in ('enters', 'leaves', 'may import', 'start')), ROOMS[room]
    assert len(ROOMS[room].splitlines()) <= 20
