import type { Plugin } from 'vite'

/**
 * The parser of Markdown reads an entity, such as `&copy;`, from the browser's own HTML parser, which our policy forbids to
 * whatever is no page of its own. The same package has a table of them for where there is no browser.
 */
export function entitiesByTable(): Plugin {
  return {
    name: 'svc:entities-by-table',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (source !== 'decode-named-character-reference') return undefined
      const found = await this.resolve(source, importer, { skipSelf: true })
      return found?.id.replace(/\bindex\.dom\.js$/, 'index.js')
    },
  }
}
