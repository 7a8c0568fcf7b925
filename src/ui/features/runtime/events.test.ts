import { createInstance, type TFunction } from "i18next";
import { beforeAll, describe, expect, it } from "vitest";
import { en } from "../../i18n/en.ts";
import { zh } from "../../i18n/zh.ts";
import { eventWords } from "./events.ts";

const RTC = "0900af76-2b1c-4a55-9c39-0d4f2f6d7c11";
let chinese: TFunction;
let english: TFunction;
beforeAll(async () => {
  const instance = createInstance();
  await instance.init({
    lng: "zh",
    resources: { zh: { translation: zh }, en: { translation: en } },
  });
  chinese = instance.getFixedT("zh");
  english = instance.getFixedT("en");
});
const words = (kind: string, text: string) => eventWords({ kind, text }, chinese);

describe("eventWords", () => {
  it("an event has a title and a short id", () => {
    expect(words("enter", "entered")).toEqual({ title: "进入房间", detail: "" });
    expect(words("enter", "resumed")).toEqual({ title: "恢复房间会话", detail: "" });
    expect(words("ice", `checking ${RTC}`)).toEqual({ title: "正在建立连接", detail: "0900af76" });
    expect(words("ice-connected", RTC)).toEqual({ title: "连接已建立", detail: "0900af76" });
    expect(words("first-media", `video ${RTC}`)).toEqual({ title: "首帧视频", detail: "0900af76" });
    expect(words("first-media", `audio ${RTC}`)).toEqual({ title: "首包音频", detail: "0900af76" });
    expect(words("no-data", "remote").title).toBe("收不到对方的音视频数据");
    expect(words("devices", "麦克风已恢复")).toEqual({ title: "设备变化", detail: "麦克风已恢复" });
  });

  it("the title is in the chosen language", () => {
    expect(eventWords({ kind: "ice-poor", text: `weak ${RTC}` }, english)).toEqual({
      title: "Poor network",
      detail: "0900af76",
    });
  });

  it("an unknown kind is shown as it is", () => {
    expect(words("21", "later")).toEqual({ title: "later", detail: "21" });
    expect(words("ice", "odd")).toEqual({ title: "odd", detail: "ice" });
    expect(words("constructor", "")).toEqual({ title: "constructor", detail: "" });
  });
});
