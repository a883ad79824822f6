// The page of a derivative: lines of two texts that light each other, and switches for what stands on the right.
'use strict';
const DATA = JSON.parse(document.getElementById('data').textContent);
const at = id => document.getElementById(id);
const state = {tab: 'derivative', room: 0, film: 0, frame: 0, pinned: '', timer: 0};
[state.mode, state.form] = DATA.own.split(' ');

function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'class') made.className = value;
    else if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (value !== false) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

function coded(number) {
  const made = make('span', {class: 'text code'});
  made.innerHTML = DATA.lines[number];              // from pygments, which has escaped it
  return made;
}

// Rows

function listed(label, rows) {
  const list = make('div', {class: 'rows', role: 'listbox', 'aria-label': label}, ...rows);
  if (rows.length) rows[0].tabIndex = 0;
  return list;
}

function row(key, kind, ...cells) {
  return make('div', {class: `row ${kind}`, 'data-key': key, role: 'option', 'aria-selected': 'false', tabindex: -1}, ...cells);
}

function flags(text) {
  return make('span', {class: 'flags'}, ...[...text].map(f => make('span', {class: `flag ${f.trim()}`}, f)));
}

const time = s => s >= 1 ? `${s.toFixed(2)} s` : s >= 1e-3 ? `${(s * 1e3).toFixed(1)} ms` : s > 0 ? `${(s * 1e6).toFixed(0)} µs` : '';
const costs = DATA.blocks.flatMap(b => b.rows).filter(r => r[5]).map(r => r[5]);
const most = [0, 1].map(k => Math.max(1e-12, ...costs.map(c => c[k])));

function cost(values, k) {
  const cell = make('span', {class: 'cost', title: (k ? 'backward' : 'forward')}, values ? time(values[k]) : '');
  if (values) cell.style.setProperty('--share', `${100 * values[k] / most[k]}%`);
  return cell;
}

function userRow([line, key, number, marks, note, measured]) {
  const more = costs.length ? [cost(measured, 0), cost(measured, 1)] : [];
  return row(key, '', make('span', {class: 'number'}, String(number)), flags(marks), ...more, coded(line),
             make('span', {class: 'note'}, note && `# ${note}`));
}

function showFunction() {
  at('left').replaceChildren(...DATA.blocks.flatMap(block => {
    const facts = [...block.facts, ...block.kinds.map(([name, kind]) => `${name} : ${kind}`)];
    return [make('h2', {}, block.head), make('ul', {class: 'facts'}, ...facts.map(f => make('li', {}, f))),
            listed(block.head, block.rows.map(userRow))];
  }));
  if (!costs.length) return;
  at('about').textContent = 'the function · forward and backward time of each line';
  at('about').classList.add('measured');
}

const CHANGES = {'+': 'come', '-': 'gone', ' ': ''};

function ourRow([line, key, role, change]) {
  const mark = role === 'tape' ? 'T' : change && change.trim() ? change : ' ';
  return row(key, `${role} ${CHANGES[change || ' ']}`, make('span', {class: 'mark'}, mark), coded(line));
}

// What stands on the right

const panel = () => DATA.panels[`${state.mode} ${state.form}`] || {error: 'not in this page'};

const TABS = {
  derivative: ['Derivative', () => [listed('the derivative', panel().rows.map(ourRow))]],
  assumed: ['Assumed', () => [make('table', {class: 'assumed'}, ...DATA.assumed.map(([name, what]) =>
    make('tr', {}, make('th', {scope: 'row'}, name), make('td', {}, what))))]],
  rooms: ['Rooms', () => {
    const room = panel().rooms[state.room];
    return room ? [listed(`${room.name} of ${room.function}`, room.rows.map(ourRow))] : [nothing('rooms')];
  }],
  film: ['Film', () => {
    const frame = film() && film().frames[state.frame];
    return frame ? [listed(`after ${frame.step}`, frame.rows.map(ourRow))] : [nothing('frames')];
  }],
  module: ['Module', () => [listed('the exported module', DATA.module.map(line => ourRow([line, '', ''])))]],
};

const last = list => list && list.length ? list.length - 1 : 0;            // the derivative itself comes after its callees
const film = () => panel().films[state.film];

function nothing(what) {
  const why = state.form === 'raw' && what === 'frames' ? 'The raw text is what the optimizer begins with: it has not run.'
    : 'This derivative is written in one go, by a log of what was done: there is nothing in between.';
  return make('p', {class: 'empty'}, why);
}

function chooser(label, names, chosen, choose) {
  return make('select', {'aria-label': label, onchange: e => choose(e.target.selectedIndex)},
    ...names.map((name, k) => make('option', k === chosen ? {selected: ''} : {}, name)));
}

function controls() {
  const found = panel();
  if (found.error) return [];
  if (state.tab === 'rooms' && found.rooms.length) {
    const room = found.rooms[state.room];
    return [chooser('room', found.rooms.map(r => `${r.name}: ${r.function}`), state.room, k => go({room: k})),
            make('p', {}, room.about)];
  }
  if (state.tab === 'film' && found.films.length) {
    const count = film().frames.length, frame = film().frames[state.frame];
    return [chooser('function', found.films.map(f => f.function), state.film, k => go({film: k, frame: 0})),
            make('button', {type: 'button', id: 'back', 'aria-label': 'frame before', onclick: () => step(-1)}, '◀'),
            make('button', {type: 'button', id: 'play', 'aria-label': state.timer ? 'stop' : 'play', onclick: play},
              state.timer ? '❚❚' : '▶▶'),
            make('button', {type: 'button', id: 'on', 'aria-label': 'next frame', onclick: () => step(1)}, '▶'),
            make('input', {type: 'range', id: 'frame', min: 0, max: count - 1, value: state.frame, 'aria-label': 'frame',
              'aria-valuetext': `${frame.step}, ${state.frame + 1} of ${count}`, oninput: e => go({frame: Number(e.target.value)})}),
            make('p', {}, make('b', {}, `${state.frame + 1}/${count} ${frame.step}`), frame.about ? `: ${frame.about}` : '')];
  }
  return [];
}

function step(by) {
  go({frame: Math.min(Math.max(state.frame + by, 0), film().frames.length - 1)});
}

function play() {
  if (state.timer) { clearInterval(state.timer); state.timer = 0; go({}); return; }
  if (state.frame === film().frames.length - 1) state.frame = 0;
  state.timer = setInterval(() => {
    if (state.tab !== 'film' || !film() || state.frame === film().frames.length - 1) play();
    else step(1);
  }, 1200);
  go({});
}

function go(changes) {
  const before = document.activeElement && document.activeElement.id;
  const place = 'tab' in changes || 'mode' in changes || 'form' in changes || 'room' in changes ? 0 : at('right').scrollTop;
  Object.assign(state, changes);
  const found = panel();
  if ('mode' in changes || 'form' in changes) Object.assign(state, {room: 0, film: last(found.films), frame: 0});
  const free = state.tab === 'assumed' || state.tab === 'module';
  at('right').replaceChildren(...(found.error && !free ? [make('p', {class: 'error'}, found.error)] : TABS[state.tab][1]()));
  at('right').scrollTop = place;
  if (place === 0 && state.tab === 'derivative' && !found.error) show(at('right').querySelectorAll('.row')[found.main]);
  at('controls').replaceChildren(...controls());
  for (const tab of at('tabs').children) {
    tab.setAttribute('aria-selected', String(tab.dataset.tab === state.tab));
    tab.tabIndex = tab.dataset.tab === state.tab ? 0 : -1;
  }
  if (before && at(before) && document.activeElement.id !== before) at(before).focus();
  light(state.pinned, null);
}

// Lines that light each other

function show(made) {                               // the derivative itself, below what it calls
  const pane = at('right');
  if (made && pane.scrollHeight > pane.clientHeight) pane.scrollTop += made.getBoundingClientRect().top - pane.getBoundingClientRect().top;
}

// a line of the derivative may stand for several of the user's: then its key is theirs, with blanks in between
const linked = (pane, key) => key ? [...at(pane).querySelectorAll(
  key.split(' ').map(k => `.row[data-key~="${CSS.escape(k)}"]`).join(','))] : [];

function light(key, from) {
  document.querySelectorAll('.row.lit, .row.pinned').forEach(r => {
    r.classList.remove('lit', 'pinned');
    r.setAttribute('aria-selected', 'false');
  });
  const sides = {left: linked('left', key), right: linked('right', key)};
  for (const made of [...sides.left, ...sides.right]) {
    made.classList.add('lit');
    made.setAttribute('aria-selected', 'true');
    if (key === state.pinned) made.classList.add('pinned');
  }
  if (from) reveal(from === 'left' ? 'right' : 'left', from === 'left' ? sides.right : sides.left);
  say(key, sides);
}

function reveal(pane, rows) {
  const box = at(pane).getBoundingClientRect();
  const first = rows.find(r => r.matches('.adjoint, .tangent')) || rows[0];
  const own = first && first.getBoundingClientRect();
  if (first && !(own.top >= box.top && own.bottom <= box.bottom)) at(pane).scrollTop += first.getBoundingClientRect().top - box.top - box.height / 3;
}

function say(key, sides) {
  const rows = DATA.blocks.flatMap(b => b.rows), given = [...new Set(key.split(' '))].map(k => rows.find(r => r[1] === k)).filter(r => r);
  const own = given[0];
  const count = kind => sides.right.filter(r => r.matches(kind)).length;
  const parts = !key ? ['Point at a line, or walk with the arrow keys: Enter keeps it lit, Esc lets it go'] : [own ? `line ${given.map(r => r[2]).join(', ')}` : 'a line of a function that is not shown'];
  const lines = (n, what) => n && parts.push(`${n} line${n > 1 ? 's' : ''} ${what}`);
  lines(count('.adjoint'), 'of the backward pass');
  lines(count('.tangent'), 'of tangents');
  lines(count('.tape'), 'of the tape');
  lines(count('.primal, .carry, .return'), 'of the function itself');
  parts.push(...given.map(r => r[4]).filter(note => note));
  at('status').textContent = at('status').title = parts.join(' · ');
}

function rowOf(event) { return event.target.closest && event.target.closest('.row'); }

function move(pane, made, by) {
  const rows = [...at(pane).querySelectorAll('.row')];
  const next = rows[Math.min(Math.max(rows.indexOf(made) + by, 0), rows.length - 1)];
  focusRow(pane, next);
}

function focusRow(pane, made) {
  if (!made) return;
  at(pane).querySelectorAll('.row[tabindex="0"]').forEach(r => { r.tabIndex = -1; });
  made.tabIndex = 0;
  made.focus({preventScroll: true});                 // which would scroll sideways, too
  const box = at(pane).getBoundingClientRect(), own = made.getBoundingClientRect();
  at(pane).scrollTop += Math.min(own.top - box.top, 0) || Math.max(own.bottom - box.top - at(pane).clientHeight, 0);
}

function pin(made, pane) {
  state.pinned = state.pinned === made.dataset.key ? '' : made.dataset.key;
  light(state.pinned || made.dataset.key, pane);
}

function across(pane, made) {
  const other = pane === 'left' ? 'right' : 'left';
  const rows = linked(other, made.dataset.key);
  focusRow(other, rows.find(r => r.matches('.adjoint, .tangent')) || rows[0]);
}

const PAGE = 15;
const KEYS = {
  ArrowDown: (p, r) => move(p, r, 1), ArrowUp: (p, r) => move(p, r, -1), PageDown: (p, r) => move(p, r, PAGE),
  PageUp: (p, r) => move(p, r, -PAGE), Home: (p, r) => move(p, r, -1e9), End: (p, r) => move(p, r, 1e9),
  ArrowRight: (p, r) => p === 'left' && across(p, r), ArrowLeft: (p, r) => p === 'right' && across(p, r),
  Enter: (p, r) => pin(r, p), ' ': (p, r) => pin(r, p),
};

for (const pane of ['left', 'right']) {
  let late = 0;
  at(pane).addEventListener('pointerover', e => {
    const made = rowOf(e);
    clearTimeout(late);
    if (!made || e.pointerType === 'touch' || state.pinned) return;
    light(made.dataset.key, null);
    late = setTimeout(() => { if (!state.pinned) light(made.dataset.key, pane); }, 250);
  });
  at(pane).addEventListener('pointerleave', () => { clearTimeout(late); light(state.pinned, null); });
  at(pane).addEventListener('focusin', e => { const made = rowOf(e); if (made && !state.pinned) light(made.dataset.key, pane); });
  at(pane).addEventListener('click', e => {
    const made = rowOf(e);
    if (!made || String(getSelection())) return;
    focusRow(pane, made);
    if (made.dataset.key) pin(made, pane);
  });
  at(pane).addEventListener('keydown', e => {
    const made = rowOf(e);
    if (!made || !KEYS[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    KEYS[e.key](pane, made);
  });
}
document.addEventListener('keydown', e => {
  if (e.key === 'Escape') { state.pinned = ''; light('', null); }
});

// Switches

function switches(id, key, names, labels) {
  const given = names.filter(name => Object.keys(DATA.panels).some(p => p.split(' ').includes(name)));
  at(id).append(...given.map((name, k) => make('label', {},
    make('input', {type: 'radio', name: key, value: name, ...(state[key] === name ? {checked: ''} : {}),
      onchange: () => go({[key]: name})}),
    make('span', {}, labels[names.indexOf(name)]))));
  at(id).hidden = given.length < 2;
}

function tabs() {
  const whole = Object.keys(DATA.panels).length > 1;
  const names = Object.keys(TABS).filter(name => name === 'module' ? DATA.module.length : whole || !['rooms', 'film'].includes(name));
  at('tabs').append(...names.map(name => make('button', {type: 'button', role: 'tab', 'data-tab': name, id: `tab-${name}`,
    'aria-controls': 'right', onclick: () => go({tab: name})}, TABS[name][0])));
  at('tabs').addEventListener('keydown', e => {
    const by = {ArrowRight: 1, ArrowLeft: -1}[e.key];
    if (!by) return;
    const next = names[(names.indexOf(state.tab) + by + names.length) % names.length];
    go({tab: next});
    at(`tab-${next}`).focus();
  });
}

at('title').textContent = DATA.title;
at('theme').addEventListener('click', () => setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));
at('legend').append(
  ...[['A', 'a derivative flows'], ['T', 'kept on the tape'], ['D', 'looked up when running']].flatMap(([flag, what]) =>
    [make('span', {class: `flag ${flag}`}, flag), ` ${what}`]));
switches('modes', 'mode', ['reverse', 'forward'], ['reverse', 'forward']);
switches('forms', 'form', ['optimized', 'raw'], ['optimised', 'raw']);
tabs();
showFunction();
go({mode: state.mode});
