/** Entry file of the worker that reads a file of a call, a dedicated worker of the tab. Errors are returned as values. */
import { expose } from "comlink";
import { AppError } from "../../shared/errors.ts";
import { createCallFileApi } from "./api.ts";

const api = createCallFileApi();

expose({
  read: async (...args: Parameters<typeof api.read>): Promise<unknown> => {
    try {
      return { ok: true, value: await api.read(...args) };
    } catch (error) {
      return { ok: false, error: AppError.from(error, "server.internal").toWire() };
    }
  },
});
