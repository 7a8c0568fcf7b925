export const root: string;
export function ensureBuild(): Promise<void>;
export function ensureLibrary(): Promise<string>;
