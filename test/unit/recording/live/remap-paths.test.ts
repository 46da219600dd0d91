import { dirname, resolve } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MovedPaths } from '../../../../extension/core/recording/live/remap-paths.ts';

const paths = new MovedPaths('/tmp/s', [{ name: 'repo', path: '/w/repo' }]);

test('what lies in a root lies in its copy, and everything else in a place of its own', () => {
  expect(paths.toLive('/w/repo')).toBe('/tmp/s/0/repo');
  expect(paths.toLive('/w/repo/a/b')).toBe('/tmp/s/0/repo/a/b');
  expect(paths.toLive('/w/repo/../x')).toBe('/tmp/s/elsewhere/w/x');
  expect(paths.toLive('/w/repository')).toBe('/tmp/s/elsewhere/w/repository');
  for (const path of ['/w/repo', '/w/repo/a/b', '/etc/passwd'])
    expect(paths.toRecorded(paths.toLive(path))).toBe(path);
});

test('no way of writing a path leads out of the scratch folder', () => {
  const step = fc.constantFrom('..', '.', '', 'w', 'repo', 'x', 'elsewhere');
  fc.assert(
    fc.property(fc.array(step), fc.array(step), (steps, ups) => {
      const path = `/${steps.join('/')}`;
      expect(paths.holds(paths.toLive(path))).toBe(true);
      const target = paths.targetToLive(path, ups.join('/'));
      expect(paths.holds(resolve(dirname(paths.toLive(path)), target))).toBe(true);
    }),
  );
});

test('a root is what its path leads to', () => {
  const { folders } = new MovedPaths('/tmp/s', [{ name: 'x', path: '/w/repo/x/..' }]);
  expect(folders).toEqual(['/tmp/s/0/repo']);
});

test('a link leads nowhere but into the scratch folder', () => {
  expect(paths.targetToLive('/w/repo/l', '/etc')).toBe('/tmp/s/elsewhere/etc');
  expect(paths.targetToLive('/w/repo/l', 'a/b')).toBe('a/b');
  expect(paths.targetToLive('/w/repo/l', '../../etc')).toBe('../../elsewhere/etc');
});

test('roots that nothing can take the place of are refused', () => {
  for (const path of ['/', '/w/..', 'C:\\work'])
    expect(() => new MovedPaths('/tmp/s', [{ name: 'x', path }])).toThrow('cannot be stood in for');
});

test('a text in pieces comes back as the whole text does', () => {
  const part = fc.constantFrom(
    '/tmp/s/0/repo',
    '/tmp/s/0/re',
    '/tmp',
    '/tmp/s/elsewhere/etc',
    'x',
    ' ',
    '\n',
  );
  fc.assert(
    fc.property(fc.array(part), fc.array(fc.nat(12)), (parts, lengths) => {
      const text = parts.join('');
      const told: string[] = [];
      const stream = paths.stream((piece) => told.push(piece));
      let position = 0;
      for (const length of lengths) {
        stream.add(text.slice(position, position + length));
        position += length;
      }
      stream.add(text.slice(position));
      stream.end();
      expect(told.join('')).toBe(paths.toRecorded(text));
    }),
  );
});
