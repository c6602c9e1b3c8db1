/** To catch what comes of loading a part that lies beside the service. The extension's own copy has no use for them and comes without. */
export function missingPart(file: string, use: string): (error: unknown) => never {
  return (error) => {
    const isMissing = error instanceof Error && 'code' in error && String(error.code).endsWith('MODULE_NOT_FOUND');
    if (!isMissing) throw error;
    throw new Error(
      `This copy of the service came without ${file}, its part ${use}. Take the whole service: \`npm run build\` leaves all in dist.`,
      { cause: error },
    );
  };
}
