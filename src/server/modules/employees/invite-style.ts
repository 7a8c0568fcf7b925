/** The style of the page behind an invitation link: colours and measures of the console's entry pages (src/ui/theme.css, login.css). */
export const INVITE_STYLE = `:root {
  color-scheme: light dark;
  --page: #fff; --field: #f7f8fa; --line: #e4e8ef; --ink: #1d2129; --ink-2: #4a5361; --ink-3: #687080;
  --brand: #1890ff; --brand-text: #096dd9; --brand-fill: #096dd9; --brand-hover: #0a5fc0; --brand-soft: #eef6ff;
  --good: #0a7f3f; --good-soft: #e6f7ec; --warn: #a35200; --warn-soft: #fff5e6; --bad: #cb272d; --bad-soft: #ffece8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #171b22; --field: #1e232c; --line: #2b323d; --ink: #eef1f6; --ink-2: #c2c9d4; --ink-3: #929cab;
    --brand-text: #4ba6ff; --brand-soft: #10294a;
    --good: #4cd488; --good-soft: #10301f; --warn: #ffb458; --warn-soft: #36270f; --bad: #ff7a75; --bad-soft: #3b1a1a;
  }
}
*, *::before, *::after { box-sizing: border-box; }
body {
  display: flex; flex-direction: column; min-width: 320px; min-height: 100dvh; margin: 0;
  font: 14px/1.57 -apple-system, BlinkMacSystemFont, "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif;
  color: var(--ink); background: var(--page);
}
h1, p, ul, fieldset { margin: 0; padding: 0; }
ul { list-style: none; }
.brand {
  padding: 20px 24px 24px; overflow-wrap: anywhere; color: #fff;
  background: radial-gradient(90% 70% at 85% 0%, rgb(64 169 255 / 45%), transparent 60%), linear-gradient(155deg, #0a4fa8 0%, #06337a 55%, #041f4f 100%);
}
.platform { display: flex; align-items: center; gap: 12px; font-size: 16px; font-weight: 600; }
.platform svg { flex: none; width: 28px; height: 28px; }
.shield { fill: #fff; }
.house { fill: #0a4fa8; }
.lead { margin-top: 20px; }
.lead strong { display: block; font-size: 22px; line-height: 1.4; font-weight: 600; text-wrap: balance; }
.lead ul { margin-top: 8px; color: rgb(255 255 255 / 85%); }
main { width: 100%; max-width: 440px; margin: 0 auto; padding: 24px; }
h1 { font-size: 22px; line-height: 1.3; font-weight: 600; text-wrap: balance; overflow-wrap: anywhere; }
.hint { margin-top: 4px; color: var(--ink-3); }
fieldset { min-width: 0; margin-top: 24px; border: 0; }
legend { display: flex; align-items: center; gap: 8px; padding: 0; font-size: 16px; font-weight: 600; }
legend span {
  display: grid; place-items: center; width: 24px; height: 24px; border-radius: 50%;
  font-size: 13px; color: var(--brand-text); background: var(--brand-soft);
}
.field { margin-top: 12px; }
label { display: block; margin-bottom: 4px; font-weight: 500; color: var(--ink-2); }
.input { display: flex; gap: 8px; }
input, select {
  flex: 1; width: 100%; min-width: 0; height: 44px; padding: 0 12px; border: 1px solid var(--line); border-radius: 6px;
  /* smaller text makes phones zoom in */
  font: inherit; font-size: 16px; color: inherit; background: var(--field);
}
select { padding: 0 8px; }
:is(input, select):focus-visible { outline: 2px solid var(--brand); outline-offset: -1px; background: var(--page); }
:is(input, select)[aria-invalid] { border-color: var(--bad); }
button, .button {
  display: grid; place-items: center; width: 100%; min-height: 44px; margin-top: 24px; padding: 8px 16px; border: 1px solid transparent; border-radius: 6px;
  font: inherit; font-size: 16px; text-decoration: none; color: #fff; background: var(--brand-fill); cursor: pointer;
}
:is(button, .button):hover { background: var(--brand-hover); }
:is(button, .button):focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; }
.second { border-color: var(--line); color: var(--brand-text); background: transparent; }
.second:hover { border-color: var(--brand-text); background: transparent; }
.input .second { flex: none; width: auto; margin: 0; padding: 0 12px; font-size: 14px; }
.first { position: absolute; width: 1px; min-height: 0; height: 1px; margin: 0; padding: 0; overflow: hidden; clip-path: inset(50%); }
button[aria-busy] { opacity: 0.6; cursor: progress; }
.said { margin-top: 16px; padding: 8px 12px; border-radius: 6px; color: var(--good); background: var(--good-soft); }
.said.bad { color: var(--bad); background: var(--bad-soft); }
.rules, .wrong { display: block; font-size: 13px; color: var(--ink-3); }
.wrong { color: var(--bad); }
.switch { margin-bottom: 8px; text-align: right; }
.switch a, .plain { color: var(--brand-text); }
.plain { display: inline-block; width: auto; margin-top: 12px; padding: 0 4px; font-size: 14px; text-align: start; background: transparent; }
.plain:hover { text-decoration: underline; background: transparent; }
.switch .plain { margin-top: 0; }
.switch a { display: inline-grid; align-items: center; min-height: 44px; padding: 0 4px; }
.state { display: grid; justify-items: center; gap: 8px; padding: 32px 0; text-align: center; color: var(--ink-2); }
.state .button { max-width: 240px; margin-top: 16px; }
.icon { display: grid; place-items: center; width: 72px; height: 72px; margin-bottom: 12px; border-radius: 50%; color: var(--warn); background: var(--warn-soft); }
.icon svg { width: 36px; height: 36px; fill: none; stroke: currentColor; stroke-width: 4; }
.icon[data-shape="joined"] { color: var(--good); background: var(--good-soft); }
.icon[data-shape="wrong"] { color: var(--bad); background: var(--bad-soft); }
@media (min-width: 860px) {
  body { display: grid; grid-template-columns: minmax(0, 1fr) minmax(480px, 1.1fr); }
  .brand { display: flex; flex-direction: column; padding: 48px; }
  .platform { font-size: 20px; }
  .platform svg { width: 36px; height: 36px; }
  .lead { max-width: 460px; margin: auto 0; padding-bottom: 12vh; font-size: 16px; }
  .lead strong { font-size: 28px; }
  .lead ul { margin-top: 16px; }
  main { display: grid; align-content: center; padding: 48px 24px; }
}
`;
