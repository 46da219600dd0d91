import type { WireHooks } from '../../ports/wire-hooks.ts';

const SECRET = /^(authorization|x-api-key|api-key|cookie|x-goog-api-key|set-cookie)$/i;

/** The same fetch, which tells `hooks` what it sends and gets. */
export function hookedFetch(fetchWith: typeof fetch, hooks: WireHooks): typeof fetch {
  return async (input, init) => {
    hooks.onRequest?.({
      method: init?.method ?? 'GET',
      url: input instanceof Request ? input.url : String(input),
      headers: plainHeaders(new Headers(init?.headers)),
      body: typeof init?.body === 'string' ? init.body : '',
    });
    const response = await fetchWith(input, init);
    hooks.onResponse?.({ status: response.status, headers: plainHeaders(response.headers) });
    return response;
  };
}

function plainHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, SECRET.test(name) ? '(a key)' : value]),
  );
}
