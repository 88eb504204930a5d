# Terminal for .pdf: see png.gp.  A hundred pixels are an inch, so a pixel is 0.72
# points, of which cairo again counts 96 to 72.
if (!strstrt(GPVAL_TERMINALS, ' pdfcairo ')) {
	exit error 'this gnuplot was built without pdfcairo; write .png or .svg'
}
TEXT_FONT = 'sans-serif,8.1'
SMALL_FONT = 'sans-serif,7.02'
TITLE_FONT = 'sans-serif:Bold,11.34'
set terminal pdfcairo noenhanced size WIDTH/100.0 in,HEIGHT/100.0 in font TEXT_FONT fontscale 1 background '#ffffff'
