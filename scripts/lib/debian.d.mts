export function programPath(name: string): string | undefined;
