/** Entry file of the export worker, a dedicated worker of the tab in which a person exports a list. Errors are returned as values. */
import { expose } from "comlink";
import { AppError } from "../../shared/errors.ts";
import { createExportApi } from "./api.ts";

const api = createExportApi();

const asValue = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, error: AppError.from(error, "server.internal").toWire() };
  }
};
expose({
  begin: (...args: Parameters<typeof api.begin>) => asValue(() => api.begin(...args)),
  add: (...args: Parameters<typeof api.add>) => asValue(() => api.add(...args)),
  finish: () => asValue(() => api.finish()),
});
