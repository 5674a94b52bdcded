package ngd.studies;

/** One study's part of the report, as HTML below a heading. */
record Section(String title, String html) {}
