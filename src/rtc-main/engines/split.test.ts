import { fileURLToPath } from "node:url";
import { build, type Rollup } from "vite";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL("..", import.meta.url));

it("The Agora SDK (430 kB) is not part of the code that every page loads", async () => {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    root: folder,
    build: {
      write: false,
      minify: false,
      lib: { entry: `${folder}index.ts`, formats: ["es"] },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]) as Rollup.RollupOutput[];
  const chunks = outputs.flatMap((each) => each.output).filter((each) => each.type === "chunk");
  const entry = chunks.find((chunk) => chunk.isEntry);
  const agora = chunks.filter((chunk) =>
    chunk.moduleIds.some((id) => id.includes("/agora-rtc-sdk-ng/")),
  );
  expect(agora.map((chunk) => chunk.isEntry)).toEqual([false]);
  const name = agora[0]?.fileName ?? "none";
  expect(entry?.imports).not.toContain(name);
  expect(entry?.dynamicImports).toContain(name);
});
