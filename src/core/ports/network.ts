/** How this machine reaches servers, as VS Code's settings and the environment say; plain data, for the worker thread. */
export interface Network {
  /** `http.proxySupport` is not `off`. */
  readonly useProxy: boolean;
  /** `http.proxy`: an address, perhaps with user and password; empty when none is set. */
  readonly proxy: string;
  /** `http.noProxy`: hosts that are reached without a proxy. */
  readonly noProxy: readonly string[];
  /** `http.proxyAuthorization`: the whole value of the header `Proxy-Authorization`; empty when none is set. */
  readonly proxyAuthorization: string;
  /** `http.systemCertificates`: the authorities of the operating system are trusted too. */
  readonly systemCertificates: boolean;
  /** `storyTracker.extraCertificates`: absolute paths of PEM files. */
  readonly extraCertificates: readonly string[];
  /** Proxies that the environment names; empty where it names none. */
  readonly environment: {
    readonly HTTPS_PROXY: string;
    readonly HTTP_PROXY: string;
    readonly NO_PROXY: string;
  };
}

/** No proxy, and the authorities that Node.js and the operating system trust. */
export const plainNetwork: Network = {
  useProxy: true,
  proxy: '',
  noProxy: [],
  proxyAuthorization: '',
  systemCertificates: true,
  extraCertificates: [],
  environment: { HTTPS_PROXY: '', HTTP_PROXY: '', NO_PROXY: '' },
};
