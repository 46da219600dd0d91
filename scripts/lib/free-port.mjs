import { createServer } from 'node:net';

/**
 * A free port of 127.0.0.1: the preferred one if possible.
 * @param {number} [preferred]
 * @returns {Promise<number>}
 */
export async function freePort(preferred = 0) {
  try {
    return await probe(preferred);
  } catch (error) {
    if (preferred === 0) throw error;
    return await probe(0);
  }
}

/** @param {number} port @returns {Promise<number>} */
function probe(port) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
