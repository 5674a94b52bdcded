import { readdirSync } from 'node:fs'

// The reference is written by the program itself, so its pages are found, not named.
const reference = readdirSync(new URL('../reference', import.meta.url))
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(0, -'.md'.length))
  .sort()
  .map((name) => ({ text: name.replaceAll('-', ' '), link: `/reference/${name}` }))

// What is not made here, such as Javadoc, is left by a plain link.
const pages = (...names) => names.map(([link, text]) => ({ link: `/${link}`, text, ...(link.endsWith('.html') ? { target: '_self' } : {}) }))

const slugify = (heading) =>
  heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-')

export default {
  title: 'ngd',
  description: 'One model from data that stay where they are',
  // Opened from a folder or served below a path, as pages of a project are.
  base: process.env.NGD_SITE_BASE ?? '/',
  ignoreDeadLinks: false,
  // Javadoc brings pages of its own.
  srcExclude: ['public/**'],
  // Anchors as GitHub makes them, so that links work in both places.
  markdown: { html: false, anchor: { slugify } },
  // theme/style.css lays out the tables of options.
  transformPageData: (page) => page.relativePath.startsWith('reference/') ? { frontmatter: { ...page.frontmatter, pageClass: 'reference' } } : undefined,
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: pages(['first-federation', 'Federation'], ['estimates', 'Estimates'], ['algorithms', 'Algorithms'], ['library', 'Library'], ['reference/ngd', 'Reference']),
    sidebar: [
      { text: 'Analysts', items: pages(['first-federation', 'A first federation'], ['standing', 'A standing federation'], ['sources', 'Data and formulas'], ['estimates', 'Estimates'], ['survival', 'Survival'], ['mixed', 'Mixed models'], ['imputation', 'Missing values'], ['penalties', 'Penalties'], ['weighting', 'Treatment effects'], ['categories', 'Several levels'], ['models', 'Compared with R'], ['privacy', 'Who learns what'], ['lost-site', 'A lost site'], ['r', 'From R'], ['python', 'From Python'], ['image', 'Images and Kubernetes']) },
      { text: 'Researchers', items: pages(['first-study', 'A first study'], ['algorithms', 'Algorithms'], ['comparing', 'Comparing methods'], ['losses', 'Losses'], ['networks', 'Networks'], ['theory', 'Theory'], ['results', 'The paper’s figures'], ['measures', 'What the numbers mean'], ['deep', 'Neural networks'], ['spark', 'On a cluster'], ['window', 'The window']) },
      { text: 'Engineers', items: pages(['library', 'The library'], ['javadoc/index.html', 'Javadoc'], ['architecture', 'The map'], ['decisions', 'Decisions'], ['reliability', 'Reliability'], ['releasing', 'Releasing'], ['CONTRIBUTING', 'Contributing'], ['CHANGES', 'Changes']) },
      { text: 'Reference', collapsed: true, items: reference },
    ],
  },
}
