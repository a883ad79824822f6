"""The page of a derivative in a real browser: pointing, keys, switches, narrow and dark windows. Chromium, headless."""
import functools
import shutil

import pytest

import tangent
from tests.interfaces.viewer import programs

playwright = pytest.importorskip('playwright.sync_api', reason='needs playwright')
NAMES = ('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')


@pytest.fixture(scope='module')
def browser():
    with playwright.sync_playwright() as engine:
        path = next(filter(None, map(shutil.which, NAMES)), None)
        try:
            found = engine.chromium.launch(executable_path=path, args=['--no-sandbox'])
        except playwright.Error as error:
            pytest.skip(f'no browser: {str(error).splitlines()[0]}')
        yield found
        found.close()


@pytest.fixture(scope='module')
def pages(tmp_path_factory):
    """A function: name -> the file of a page, each written once."""
    folder, forms = tmp_path_factory.mktemp('pages'), {
        'loop': lambda: tangent.grad(programs.loop, wrt='w'), 'log': lambda: tangent.grad(programs.noted),
        'folded': lambda: tangent.grad(programs.folded), 'starred': lambda: tangent.grad(programs.starred)}

    @functools.cache
    def page(name):
        return tangent.view(forms[name]()).save(folder / f'{name}.html')
    return page


@pytest.fixture
def opened(browser, pages):
    """A function that opens a page; at the end no script has failed, and nothing was asked of a network."""
    wrong, contexts = [], []

    def opening(name='loop', width=1280, height=800, scheme='light', text=None):
        context = browser.new_context(viewport={'width': width, 'height': height}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(5000)
        page.on('pageerror', lambda error: wrong.append(str(error)))
        page.on('console', lambda message: wrong.append(message.text) if message.type in ('error', 'warning') else None)
        page.on('request', lambda request: None if request.url.startswith(('file:', 'about:', 'data:')) else wrong.append(request.url))
        if text is None:
            page.goto(pages(name).as_uri())
        else:
            page.set_content(text)
        return page
    yield opening
    for context in contexts:
        context.close()
    assert wrong == []


def left(page, text):
    return page.locator('#left .row', has_text=text).first


def right(page, text):
    return page.locator('#right .row', has_text=text).first


def lit(page, pane):
    return page.locator(f'#{pane} .row.lit .text').all_inner_texts()


def test_pointing_at_a_line_lights_its_adjoints(opened):
    page = opened()
    left(page, 'np.tanh(w * x)').locator('.text').hover()
    texts = [text.strip() for text in lit(page, 'right')]
    assert '# Grad of: x = np.tanh(w * x)' in texts and any(text.startswith('bw += ') for text in texts)
    assert [text.strip() for text in lit(page, 'left')] == ['x = np.tanh(w * x)      # a layer']
    assert 'lines of the backward pass' in page.locator('#status').inner_text()
    left(page, 'def half').locator('.text').hover()
    assert 'bw +=' not in ''.join(lit(page, 'right'))


def test_pointing_at_an_adjoint_lights_the_line(opened):
    page = opened()
    row = right(page, 'bw += ')
    row.scroll_into_view_if_needed()
    row.locator('.text').hover()
    assert [text.strip() for text in lit(page, 'left')] == ['x = np.tanh(w * x)      # a layer']
    page.locator('header').hover()
    assert lit(page, 'left') == []


def test_a_formula_made_of_several_lines(opened):
    page = opened('folded')
    for text in ('y = x * w', 'return y ** 2'):
        left(page, text).locator('.text').hover()
        assert any('2 *' in shown for shown in lit(page, 'right')), text
    right(page, '2 *').locator('.text').hover()
    assert len(lit(page, 'left')) == 2


def test_a_click_keeps_a_line_lit(opened):
    page = opened()
    left(page, 'np.tanh').locator('.text').click()
    left(page, 'def half').locator('.text').hover()
    assert 'np.tanh' in ''.join(lit(page, 'left')) and page.locator('.row.pinned').count() >= 2
    page.keyboard.press('Escape')
    assert page.locator('.row.pinned').count() == 0


def test_everything_by_keyboard(opened):
    """From the top of the page to the adjoint of a line, with no pointer at all."""
    page = opened()
    focus = 'document.activeElement.closest(".row") ? document.activeElement.innerText.trim() : document.activeElement.id || ' \
        'document.activeElement.value'
    seen = []
    for _ in range(12):
        page.keyboard.press('Tab')
        seen.append(page.evaluate(focus))
        if 'def loop' in seen[-1]:
            break
    assert 'def loop' in seen[-1], seen
    assert 'reverse' in seen and 'optimized' in seen and 'theme' in seen
    for _ in range(4):
        page.keyboard.press('ArrowDown')
    assert 'np.tanh(w * x)' in page.evaluate(focus)
    assert any('bw += ' in text for text in lit(page, 'right'))
    page.keyboard.press('ArrowRight')
    assert page.evaluate('document.activeElement.closest("#right") !== null')
    assert page.evaluate('document.activeElement.matches(".adjoint")')
    page.keyboard.press('Enter')
    assert page.locator('.row.pinned').count() >= 2
    page.keyboard.press('Escape')
    page.keyboard.press('ArrowLeft')
    assert 'np.tanh(w * x)' in page.evaluate(focus)
    page.keyboard.press('End')
    page.keyboard.press('Home')
    assert 'def loop' in page.evaluate(focus)


def test_the_focused_line_is_in_sight(opened):
    page = opened(height=420)
    page.locator('#right .row[tabindex="0"]').focus()
    page.keyboard.press('End')
    box, pane = page.locator('#right .row:focus').bounding_box(), page.locator('#right').bounding_box()
    assert pane['y'] <= box['y'] and box['y'] + box['height'] <= pane['y'] + pane['height'] + 1
    assert 'return' in page.locator('#right .row:focus').inner_text()


def test_walking_over_lines_does_not_scroll_sideways(opened):
    page = opened(width=360, height=640)
    page.locator('#right .row[tabindex="0"]').focus()
    page.evaluate('document.querySelector("#right").scrollLeft = 0')
    for _ in range(30):
        page.keyboard.press('ArrowDown')
    assert page.evaluate('document.querySelector("#right").scrollLeft') == 0
    assert page.evaluate('document.querySelector("#right").scrollWidth > document.querySelector("#right").clientWidth')


def test_switches(opened):
    page = opened()
    assert 'def dloopdw(x, w, bloop=1.0):' in page.locator('#right').inner_text()
    page.locator('input[value=forward]').check()
    assert 'def dloopdw(x, w, dw):' in page.locator('#right').inner_text()
    page.locator('input[value=raw]').check()
    raw = page.locator('#right').inner_text()
    page.locator('input[value=reverse]').check()
    assert 'push(_stack, ' in page.locator('#right').inner_text() and 'push' not in raw
    page.keyboard.press('ArrowRight')                    # radio buttons follow the arrows
    assert page.locator('input[value=forward]').is_checked()
    left(page, 'np.tanh').locator('.text').hover()
    assert any('dx' in text for text in lit(page, 'right'))


def test_rooms(opened):
    page = opened()
    page.locator('#tab-rooms').click()
    names = page.locator('#controls select option').all_inner_texts()
    assert 'normal: loop' in names and 'reverse: dloopdw' in names
    page.locator('#controls select').select_option('reverse: dloopdw')
    assert 'push(_stack, ' in page.locator('#right').inner_text()
    left(page, 'np.tanh').locator('.text').hover()
    assert any('np.tanh' in text for text in lit(page, 'right'))
    page.keyboard.press('Tab')
    page.locator('#tab-rooms').focus()
    page.keyboard.press('ArrowRight')
    assert page.locator('#tab-film').get_attribute('aria-selected') == 'true'


def test_the_film(opened):
    page = opened()
    page.locator('#tab-film').click()
    first = page.locator('#right').inner_text()
    page.locator('#on').click()
    assert page.locator('#right .row.come, #right .row.gone').count() > 0 and page.locator('#right').inner_text() != first
    assert page.evaluate('document.activeElement.id') == 'on'
    page.keyboard.press('Enter')
    assert page.locator('#controls p').inner_text().startswith('3/')
    page.locator('#frame').focus()
    page.keyboard.press('ArrowLeft')
    assert page.locator('#controls p').inner_text().startswith('2/')
    page.keyboard.press('End')
    count = page.locator('#controls p').inner_text().split()[0].split('/')
    assert count[0] == count[1]
    page.locator('#play').click()
    page.wait_for_function('document.querySelector("#controls p").innerText.startsWith("2/")')
    page.locator('#play').click()
    assert page.locator('#play').get_attribute('aria-label') == 'play'


def test_what_is_assumed_and_the_module(opened):
    page = opened()
    page.locator('#tab-assumed').click()
    assert 'half, programs.py:' in page.locator('#right').inner_text()
    page.locator('#tab-module').click()
    assert 'from tangent.utils import' in page.locator('#right').inner_text()


def test_the_log_form_says_why_it_has_no_film(opened):
    page = opened('log')
    assert 'goes back through a log' in page.locator('#left').inner_text()
    page.locator('#tab-film').click()
    assert 'log of what was done' in page.locator('#right').inner_text()
    page.locator('#tab-rooms').click()
    assert 'ys.append' in page.locator('#right').inner_text()


@pytest.mark.parametrize('width', [320, 420, 760])
def test_narrow_windows(opened, width):
    """Both texts one above the other, and nothing to be scrolled sideways but inside of them."""
    page = opened(width=width, height=740)
    assert page.evaluate('document.documentElement.scrollWidth') <= width
    above, below = page.locator('#left').bounding_box(), page.locator('#right').bounding_box()
    assert above['y'] + above['height'] <= below['y'] and above['height'] > 120 and below['height'] > 120
    assert below['x'] == 0 and below['width'] == width
    for tab in ('film', 'rooms', 'assumed', 'module'):
        page.locator(f'#tab-{tab}').click()
        assert page.evaluate('document.documentElement.scrollWidth') <= width
        assert page.locator('#right').bounding_box()['height'] > 60


@pytest.mark.parametrize('width', [320, 1000])
def test_nothing_moves_when_a_line_is_lit(opened, width):
    """What is under the pointer stays there: a click hits what was pointed at."""
    page = opened('log', width=width, height=640)
    before = [page.locator(pane).bounding_box() for pane in ('#left', '#right')]
    left(page, 'ys.append').locator('.text').click()
    assert [page.locator(pane).bounding_box() for pane in ('#left', '#right')] == before
    assert 'ys.append' in ''.join(lit(page, 'left')) and page.locator('.row.pinned').count() > 1


def test_wide_windows_have_them_side_by_side(opened):
    page = opened()
    one, other = page.locator('#left').bounding_box(), page.locator('#right').bounding_box()
    assert one['x'] + one['width'] <= other['x'] + 1 and page.evaluate('document.documentElement.scrollHeight') <= 800


def lightness(page, selector, what):
    parts = page.evaluate(f'getComputedStyle(document.querySelector({selector!r})).{what}').strip('rgba()').split(',')
    return sum(float(part) for part in parts[:3]) / 765


def test_light_and_dark(opened):
    bright, dark = opened(), opened(scheme='dark')
    assert lightness(bright, 'body', 'backgroundColor') > 0.9 and lightness(dark, 'body', 'backgroundColor') < 0.15
    for page, least in ((bright, False), (dark, True)):
        keyword = lightness(page, '#left .code .k', 'color')
        assert (keyword > 0.4) == least
    dark.locator('#theme').click()
    assert lightness(dark, 'body', 'backgroundColor') > 0.9
    bright.emulate_media(color_scheme='dark')
    bright.wait_for_function('document.documentElement.dataset.theme === "dark"')
    assert lightness(bright, 'body', 'backgroundColor') < 0.15


def test_inside_a_notebook(opened):
    """In a frame of a page that has its own style, as Jupyter has it, and shut off from that."""
    derivative = tangent.grad(programs.loop, wrt='w')
    page = opened(text=f'<!DOCTYPE html><style>* {{ color: red }}</style>{derivative._repr_html_()}')
    inside = page.frame_locator('iframe')
    inside.locator('#left .row', has_text='np.tanh').first.locator('.text').hover()
    assert any('bw += ' in text for text in inside.locator('#right .row.lit .text').all_inner_texts())
    assert inside.locator('#modes').is_hidden() and inside.locator('#tab-film').count() == 0
    color = inside.locator('h1').evaluate('e => getComputedStyle(e).color')
    assert color != 'rgb(255, 0, 0)'


def test_explanations(opened):
    page = opened(text=tangent.explain(programs.loop, wrt='w', show=False).html, width=420)
    assert page.locator('tr.active').count() > 3
    assert page.evaluate('document.documentElement.scrollWidth') <= 420


def test_without_scripts(browser, pages):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(pages('starred').as_uri())
    text = page.locator('body').inner_text()
    assert 'def starred(x, *args' in text and 'def dstarreddx' in text
    context.close()
