/** The contract for other teams: /openapi.json, built from the table of REST calls, and the readable page /openapi. */
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import type { ServerModule } from "../../base/module.ts";
import { openApiDocument } from "./document.ts";
import { openApiPage, PAGE_STYLE } from "./page.ts";

const VERSION = "1.0.0";
/** Most characters of a search that are used. */
const SEARCH_MAX = 100;

export function createOpenApiModule(calls = Object.values(restCalls)): ServerModule {
  // Built at the first request, because most servers never get one.
  let made: ReturnType<typeof openApiDocument> | null = null;
  const document = () => (made ??= openApiDocument(calls, VERSION));
  return {
    name: "openapi",
    operations(app) {
      app.get("/openapi.json", (c) => c.json(document()));
      app.get("/openapi", (c) =>
        c.html(openApiPage(document(), (c.req.query("q") ?? "").slice(0, SEARCH_MAX))),
      );
      app.get("/openapi/style.css", (c) => {
        c.header("content-type", "text/css; charset=utf-8");
        return c.body(PAGE_STYLE);
      });
    },
  };
}
