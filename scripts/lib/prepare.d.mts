export const root: string;
export function ensureBuild(): void;
export function ensureLibrary(): string;
