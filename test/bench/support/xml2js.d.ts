declare module 'xml2js' {
  export function parseStringPromise(text: string): Promise<unknown>;
}
