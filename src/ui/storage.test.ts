/** What a tab stores has the shape and the names that the platform fixes (docs/session.md#storage-keys). */
import { afterEach, expect, it, vi } from "vitest";
import {
  readCookie,
  readLocal,
  readSession,
  sessionKeys,
  writeCookie,
  writeLocal,
  writeSession,
  writeSessionCookie,
} from "./storage.ts";

function fakeStorage(): Storage {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem(key: string, value: string) {
      kept.set(key, value);
      Object.assign(storage, { [key]: value });
    },
  };
  return storage as unknown as Storage;
}

afterEach(() => vi.unstubAllGlobals());

it("An entry begins with hyzh- and holds value, dataType, type and datetime; one with a type is the tab's own", () => {
  const [local, session] = [fakeStorage(), fakeStorage()];
  vi.stubGlobal("localStorage", local);
  vi.stubGlobal("sessionStorage", session);
  writeLocal("lang", "en");
  writeSession("tagsView", { owner: "a" });
  expect(JSON.parse(local.getItem("hyzh-lang") ?? "")).toEqual({
    value: "en",
    dataType: "string",
    type: "",
    datetime: expect.any(Number) as number,
  });
  expect(JSON.parse(session.getItem("hyzh-tagsView") ?? "")).toMatchObject({
    value: { owner: "a" },
    dataType: "object",
    type: "session",
  });
  expect([readLocal("lang"), readSession("tagsView"), sessionKeys("tags")]).toEqual([
    "en",
    { owner: "a" },
    ["tagsView"],
  ]);
  expect([readLocal("tagsView"), readSession("lang")]).toEqual([null, null]);
});

it("A broken entry is none, and a browser that refuses storage costs nothing else", () => {
  const local = fakeStorage();
  vi.stubGlobal("localStorage", local);
  local.setItem("hyzh-lang", "{");
  expect(readLocal("lang")).toBeNull();
  const refuse = (): never => {
    throw new Error("refused");
  };
  vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse });
  expect(() => writeLocal("lang", "en")).not.toThrow();
  expect(readLocal("lang")).toBeNull();
});

it("A cookie of the login ends with it and goes to no other site; a preference lasts a year", () => {
  const written: string[] = [];
  vi.stubGlobal("location", { protocol: "https:" });
  vi.stubGlobal("document", {
    get cookie() {
      return "sidebarStatus=0; supplier_id=7";
    },
    set cookie(line: string) {
      written.push(line);
    },
  });
  writeSessionCookie("supplier_id", "7", 60.5);
  writeCookie("sidebarStatus", "0");
  expect(written).toEqual([
    "supplier_id=7; path=/; max-age=60; SameSite=Strict; Secure",
    "sidebarStatus=0; path=/; max-age=31536000; SameSite=Lax",
  ]);
  expect([readCookie("sidebarStatus"), readCookie("supplier_id"), readCookie("size")]).toEqual([
    "0",
    "7",
    null,
  ]);
});
