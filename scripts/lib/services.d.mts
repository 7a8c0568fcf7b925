export function startPostgres(postgres: string, stops: (() => unknown)[]): Promise<string>;
