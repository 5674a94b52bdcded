// Checks a built site: every link and picture of every page leads to a file of the site, every anchor to an element.
//   node site/links.mjs DIR [BASE]
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

const [dir, base = '/'] = process.argv.slice(2)
const files = readdirSync(dir, { recursive: true }).map((file) => file.split('\\').join('/'))
const pages = new Map(files.filter((file) => file.endsWith('.html')).map((file) => [file, readFileSync(join(dir, file), 'utf8')]))
const ids = new Map([...pages].map(([file, text]) => [file, new Set([...text.matchAll(/\sid="([^"]*)"/g)].map((match) => decode(match[1])))]))
const problems = []
let links = 0
for (const [file, text] of pages) {
  for (const [, target] of text.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
    if (/^[a-z]+:|^\/\//i.test(target)) continue
    links++
    const [path, anchor] = decode(target).split('#')
    const found = path === '' ? file : resolved(path, file)
    if (found === undefined) problems.push(`${file}: ${target} leads nowhere`)
    else if (anchor && pages.has(found) && !ids.get(found).has(anchor)) problems.push(`${file}: ${target}: the page has no such anchor`)
  }
}
if (pages.size === 0) problems.push(`${dir}: has no pages`)
problems.forEach((problem) => console.error(problem))
console.log(`${pages.size} pages, ${links} links, ${problems.length} broken`)
process.exit(problems.length === 0 ? 0 : 1)

function resolved(path, from) {
  const inside = path.startsWith(base) ? path.slice(base.length) : path.startsWith('/') ? undefined : posix.join(posix.dirname(from), path)
  if (inside === undefined) return undefined
  for (const one of [inside, `${inside}.html`, posix.join(inside, 'index.html')]) {
    const at = join(dir, one)
    if (existsSync(at) && statSync(at).isFile()) return posix.normalize(one)
  }
  return undefined
}

function decode(text) {
  return decodeURIComponent(text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}
