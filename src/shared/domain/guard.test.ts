import { describe, expect, it } from "vitest";
import { guard, redirectOf, safeRedirect, type GuardSession } from "./guard.ts";

const at = (path: string) => {
  const url = new URL(path, "http://x");
  return { pathname: url.pathname, search: url.search, hash: url.hash };
};
const session = (over: Partial<GuardSession> = {}): GuardSession => ({
  status: "authenticated",
  infoLoaded: true,
  accountId: "a1",
  loggedOut: false,
  pathOwner: null,
  isGuest: "0",
  infoFailed: false,
  ...over,
});
const anonymous = session({ status: "anonymous", infoLoaded: false });

describe("guard", () => {
  it.each([
    "/login",
    "/auth-redirect",
    "/register",
    "/nextPage",
    "/login/",
    "/login?redirect=%2Fa",
  ])("no token: %s is open", (path) =>
    expect(guard(anonymous, at(path))).toEqual({ type: "allow" }),
  );

  it.each([
    ["/", "/login?redirect=%2F"],
    ["/dashboard", "/login?redirect=%2Fdashboard"],
    ["/im/people?chat=lina#end", "/login?redirect=%2Fim%2Fpeople%3Fchat%3Dlina%23end"],
    ["/404", "/login?redirect=%2F404"],
    ["/loginx", "/login?redirect=%2Floginx"],
    ["/nextpage", "/login?redirect=%2Fnextpage"],
    ["/register/more", "/login?redirect=%2Fregister%2Fmore"],
  ])("no token: %s goes to %s", (path, to) =>
    expect(guard(anonymous, at(path))).toEqual({ type: "redirect", to }),
  );

  it("with a token /login redirects to / and /register stays", () => {
    expect(guard(session(), at("/login"))).toEqual({ type: "redirect", to: "/" });
    expect(guard(session(), at("/register"))).toEqual({ type: "allow" });
    expect(guard(session({ infoLoaded: false }), at("/register"))).toEqual({ type: "allow" });
  });

  it("with a token /login redirects to a safe ?redirect, and to / for an unsafe one", () => {
    expect(guard(session(), at("/login?redirect=%2Fim%2Fpeople%3Fa%3D1"))).toEqual({
      type: "redirect",
      to: "/im/people?a=1",
    });
    for (const bad of ["//evil.example", "https://evil.example", "/\\evil", "/login?redirect=/"]) {
      expect(guard(session(), at(`/login?redirect=${encodeURIComponent(bad)}`))).toEqual({
        type: "redirect",
        to: "/",
      });
    }
  });

  it.each(["/", "/dashboard", "/im/people", "/unknown"])(
    "%s loads the info first when roles are not loaded and the person is no guest",
    (path) =>
      expect(guard(session({ infoLoaded: false }), at(path))).toEqual({ type: "load-info" }),
  );

  it("a guest, a loaded session and a failed load may continue", () => {
    const target = at("/im/people");
    expect(guard(session({ infoLoaded: false, isGuest: "1" }), target)).toEqual({ type: "allow" });
    expect(guard(session(), target)).toEqual({ type: "allow" });
    expect(guard(session({ infoLoaded: false, infoFailed: true }), target)).toEqual({
      type: "allow",
    });
  });

  it.each(["/login", "/", "/im/people"])(
    "the guard waits at %s until the core has read its storage",
    (path) =>
      expect(guard(session({ status: "restoring", infoLoaded: false }), at(path))).toEqual({
        type: "wait",
      }),
  );
});

describe("safeRedirect", () => {
  it.each(["/", "/a/b?c=d#e", "/im/people?chat=lina", "/loginx", "/a?next=//b"])(
    "safeRedirect accepts %s",
    (p) => expect(safeRedirect(p)).toBe(p),
  );

  it.each([
    "",
    "a/b",
    "//evil.example/a",
    "/\\evil.example",
    "\\\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/\n/evil.example",
    " /a",
    "/login",
    "/login/?redirect=%2F",
    "/a/../..//evil.example",
    `/${"a".repeat(2001)}`,
  ])("refuses %j", (p) => expect(safeRedirect(p)).toBeNull());

  it("every accepted path stays on the origin", () => {
    for (const path of ["/a/b?c=//x", "/:80/x", "/@evil.example", "/%2F/evil", "/%5Cevil"]) {
      expect(new URL(safeRedirect(path) ?? "", "https://here.example").host).toBe("here.example");
    }
  });

  it("redirectOf reads the query, including broken encodings", () => {
    expect(redirectOf("?a=1&redirect=%2Fx%3Fy%3D1")).toBe("/x?y=1");
    expect(redirectOf("?redirect=%E0%A4%A")).toBeNull();
    expect(redirectOf("?xredirect=/a")).toBeNull();
    expect(redirectOf("")).toBeNull();
  });
});

describe("the next person", () => {
  const path = "/im/people?chat=lina";
  const login = at(`/login?redirect=${encodeURIComponent(path)}`);

  it("the next person is not sent to the path of a person who logged out", () => {
    const out = session({ status: "anonymous", infoLoaded: false, loggedOut: true });
    expect(guard(out, at(path))).toEqual({ type: "redirect", to: "/login" });
    expect(guard({ ...out, loggedOut: false }, at(path))).toMatchObject({
      to: expect.stringContaining("redirect=") as string,
    });
  });

  it("after an expired login the same person returns to the path, another person goes home", () => {
    const unknown = session({ infoLoaded: false, accountId: null, pathOwner: "a1" });
    expect(guard(unknown, login)).toEqual({ type: "load-info" });
    expect(guard({ ...unknown, infoFailed: true }, login)).toEqual({ type: "redirect", to: "/" });
    const home = { type: "redirect", to: "/" };
    expect(guard(session({ pathOwner: "a2" }), login)).toEqual(home);
    expect(guard(session({ pathOwner: "a1" }), login)).toEqual({ type: "redirect", to: path });
    expect(guard(session({ pathOwner: null }), login)).toEqual({ type: "redirect", to: path });
  });

  it("a tab that still shows another person's page goes home", () => {
    expect(guard(session({ pathOwner: "a2" }), at(path))).toEqual({ type: "redirect", to: "/" });
    expect(guard(session({ pathOwner: "a2" }), at("/"))).toEqual({ type: "allow" });
  });
});
