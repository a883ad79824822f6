// Light or dark: as the reader's system has it, until the button says otherwise. Runs before anything is painted.
const dark = matchMedia('(prefers-color-scheme: dark)');
function setTheme(theme) { document.documentElement.dataset.theme = theme; }
setTheme(dark.matches ? 'dark' : 'light');
dark.addEventListener('change', () => setTheme(dark.matches ? 'dark' : 'light'));
