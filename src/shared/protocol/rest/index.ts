/** Every REST call and what the calls share. The calls come from the files of this folder (docs/adding.md#registries). */
export * from "./call.ts";
export * from "./calls.generated.ts";
export * from "./conflict.ts";
export * from "./employee-schemas.ts";
export * from "./entities.ts";
export * from "./rtc.ts";
