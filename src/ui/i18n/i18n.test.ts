import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { CALL_NOTICE_KEYS, CALL_NOTICE_TEXTS, CALL_TEXTS } from "../../shared/domain/call-texts.ts";
import { noticeIn, NOTICE_TEXTS } from "../../shared/domain/notice-texts.ts";
import { ERROR_TEXTS_EN } from "../../shared/error-texts-en.ts";
import { AppError, ERROR_CATALOGUE } from "../../shared/errors.ts";
import { en } from "./en.ts";
import { errorText, setLanguage, startI18n } from "./index.ts";
import { noticeText } from "./notices.ts";
import { conferenceZh } from "./zh-conference.ts";
import { zh as common } from "./zh.ts";

const zh = { ...common, conference: conferenceZh };

/** Every text by its key. */
function flat(value: unknown, path = ""): Map<string, string> {
  if (typeof value === "string") return new Map([[path, value]]);
  const all = new Map<string, string>();
  for (const [key, child] of Object.entries(value as object)) {
    for (const [k, v] of flat(child, path === "" ? key : `${path}.${key}`)) all.set(k, v);
  }
  return all;
}
const placeholders = (text: string): string[] =>
  (text.match(/\{\{\w+(?:, \w+)?\}\}/g) ?? []).sort();

describe("catalogues", () => {
  it("have the same keys and the same placeholders", () => {
    const chinese = flat(zh);
    const english = flat(en);
    // English words of one thing stand beside those of many; Chinese has one form.
    const ones = [...english.keys()].filter((key) => key.endsWith("_one"));
    for (const key of ones) {
      const many = key.slice(0, -"_one".length);
      expect([key, placeholders(english.get(key) ?? "")]).toEqual([
        key,
        placeholders(english.get(many) ?? "none"),
      ]);
      english.delete(key);
    }
    expect([...english.keys()].sort()).toEqual([...chinese.keys()].sort());
    for (const [key, text] of chinese) {
      expect([key, placeholders(english.get(key) ?? "")]).toEqual([key, placeholders(text)]);
    }
  });

  it("keep the fixed texts to the letter", () => {
    expect(zh.layout.noCompany).toBe("暂无企业");
    expect(zh.layout.switchConfirm.replace("{{company}}", "{company}")).toBe(
      "确认要切换到企业[{company}]吗?",
    );
    expect([zh.common.hint, zh.common.ok, zh.common.cancel]).toEqual(["提示", "确定", "取消"]);
    expect([zh.common.home, zh.layout.logout]).toEqual(["首页", "退出"]);
    expect([zh.login.username, zh.login.password, zh.login.submit]).toEqual([
      "用户名",
      "密码",
      "登录",
    ]);
  });
});

describe("errors and notices", () => {
  beforeAll(async () => {
    vi.stubGlobal("document", { documentElement: {} });
    vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
    await startI18n();
  });
  afterEach(() => setLanguage("zh"));

  const notice = (key: string, text: string) =>
    ({ id: "1", style: "error", text, key, duration: 5000 }) as const;

  it("appear in Chinese at first, and a server's own message unchanged", () => {
    expect(errorText(new AppError("auth.invalid-credentials"))).toBe("用户名或密码错误");
    expect(errorText(new AppError("server.internal", { message: "库存不足" }))).toBe("库存不足");
    expect(errorText(new TypeError("x is not a function"))).toBe("服务器内部错误");
  });

  it("of a device follow the language by the words that they bring", async () => {
    const error = new AppError("media.device-busy", {
      message: "摄像头被其他程序占用",
      details: { en: "Another program uses the camera" },
    });
    const named = { ...notice(error.code, error.message), args: { en: "It uses the camera" } };
    expect([errorText(error), noticeText(named)]).toEqual([error.message, error.message]);
    await setLanguage("en");
    expect([errorText(error), noticeText(named)]).toEqual([
      "Another program uses the camera",
      "It uses the camera",
    ]);
  });

  it("follow the language by code and by key", async () => {
    await setLanguage("en");
    expect(errorText(new AppError("auth.invalid-credentials"))).toBe("Wrong user name or password");
    expect(errorText(new AppError("server.internal", { message: "库存不足" }))).toBe("库存不足");
    expect(noticeText(notice("sayPeerBusy", CALL_TEXTS.sayPeerBusy.text))).toBe(
      CALL_TEXTS.sayPeerBusy.en,
    );
    expect(noticeText(notice("call.self", "不能和自己音视频通话"))).toBe(
      "You cannot call yourself",
    );
    expect(noticeText(notice("unknown", "某条消息"))).toBe("某条消息");
  });

  it("keeps the choice before the texts have arrived, so that an early reload keeps it", async () => {
    const kept = vi.spyOn(localStorage, "setItem");
    const switching = setLanguage("en");
    expect(kept).toHaveBeenCalledWith(
      expect.stringContaining("lang"),
      expect.stringContaining("en"),
    );
    await switching;
  });

  it("has an English text for every notice that the core can send", async () => {
    await setLanguage("en");
    const calls = Object.entries(CALL_NOTICE_TEXTS).map(([key, { text }]) => [key, text] as const);
    const errors = Object.entries(ERROR_CATALOGUE).map(
      ([key, { zh: text }]) => [key, text] as const,
    );
    const keys = [...calls, ...errors].map(([key]) => key);
    expect(keys).toEqual(
      expect.arrayContaining([
        ...Object.keys(CALL_TEXTS),
        CALL_NOTICE_KEYS.cancelDone,
        ...Object.values(CALL_NOTICE_KEYS.noData),
      ]),
    );
    const args = {
      dry: 1,
      created: 2,
      updated: 1,
      refused: 3,
      file: "a.xlsx",
      why: "x",
      name: "Ann",
      company: "A",
      group: "G",
      person: "Bob",
      note: "in a meeting",
    };
    const others = Object.keys(NOTICE_TEXTS).flatMap((key) =>
      [args, { ...args, dry: 0, updated: 0, refused: 0 }].map((one) => ({
        ...notice(key, noticeIn("zh", key, one) ?? ""),
        args: one,
      })),
    );
    const all = [...[...calls, ...errors].map(([key, text]) => notice(key, text)), ...others];
    const untranslated = all.filter((one) => /\p{Script=Han}|^$|undefined/u.test(noticeText(one)));
    expect(untranslated).toEqual([]);
  });

  it("tells an import's end in the language chosen, with its reason", async () => {
    const why = ERROR_CATALOGUE["server.internal"].zh;
    const args = { dry: 0, created: 1, updated: 0, refused: 0, file: "员工.xlsx", why };
    const failed = { ...notice("import.failed", "…"), args: { ...args, code: "server.internal" } };
    const done = { ...notice("import.done", "…"), args };
    await setLanguage("en");
    expect(noticeText(failed)).toBe(
      `Import failed: ${ERROR_TEXTS_EN["server.internal"]} (员工.xlsx)`,
    );
    expect(noticeText(done)).toBe("Import done: 1 employee created (员工.xlsx)");
  });

  it("knows the key of every notice in the core's source", () => {
    const folder = join(import.meta.dirname, "../../workers/core");
    const found: string[] = [];
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts") || /test/.test(file)) continue;
      const source = readFileSync(join(folder, file), "utf8");
      for (const [, given] of source.matchAll(/\bnotice\(\s*\{[^}]*?\bkey: ([^,}\s]+)/g)) {
        found.push(given ?? "");
      }
    }
    expect(found.length).toBeGreaterThan(5);
    // a code of the catalogue, a sentence of the call table, or one of the keys above: never a key written in place
    const known =
      /^(?:(?:error\.)?code|name|SERVER_WORDS|CALL_NOTICE_KEYS\.\w+(?:\[direction\])?)$/;
    expect(found.filter((given) => !known.test(given))).toEqual([]);
  });
});
