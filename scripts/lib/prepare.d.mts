export const root: string;
export function ensureBuild(options?: { readonly quick?: boolean }): Promise<void>;
export function ensureLibrary(): Promise<string>;
