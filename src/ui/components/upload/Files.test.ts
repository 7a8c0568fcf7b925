import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { proxy } from "valtio/vanilla";
import { beforeAll, expect, it, vi } from "vitest";
import { startI18n } from "../../i18n/index.ts";
import { type Services, ServicesContext } from "../../state/services.ts";
import Files from "./Files.tsx";
import { FILE_RULES } from "./rules.ts";

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  await startI18n();
});

const core = { commands: {}, state: proxy({ uploads: { ready: true, byKey: {} } }) };
const shown = (value: readonly string[]): string =>
  renderToStaticMarkup(
    createElement(
      ServicesContext.Provider,
      { value: { core } as unknown as Services },
      createElement(Files, {
        label: "附件",
        value,
        rules: FILE_RULES,
        onChange: () => undefined,
      }),
    ),
  );

it("Files to upload stand in a list of names, each with its removal, and a chooser of the allowed types", () => {
  const markup = shown(["a.pdf", "b.txt"]);
  expect(
    [...markup.matchAll(/<span class="ellipsis tnum">([^<]*)</g)].map(([, name]) => name),
  ).toEqual(["a.pdf", "b.txt"]);
  expect(markup).toContain('aria-label="删除文件 b.txt"');
  expect(markup).toContain("上传文件");
  expect(markup).toMatch(/<input type="file"[^>]* accept="\.doc,\.xls,\.ppt,\.txt,\.pdf"/);
});

it("Beside five files no further one is offered", () => {
  expect(shown(["1", "2", "3", "4", "5"])).not.toContain("上传文件");
});
