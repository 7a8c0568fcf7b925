/** Makes every registry of the project anew, if it is not as its folder is. @param root folder of the project */
export function makeRegistries(root: string): void;
